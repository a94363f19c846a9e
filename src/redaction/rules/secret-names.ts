/** The last part of a name decides: `DB_PASSWORD` is a password, `password_file` is a file. */
const strongNames = [
  "password",
  "passwd",
  "passphrase",
  "secret",
  "token",
  "apikey",
  "accesskey",
  "secretkey",
  "privatekey",
  "credential",
  "credentials",
  "authorization",
] as const;

/** Names that mean a secret only if they are a part of their own, as in `MYSQL_PWD`, and the value looks like one. */
const weakNames = ["key", "auth", "pass", "pwd", "sig", "signature", "dsn", "salt", "bearer", "otp"] as const;

const endings = new Uint8Array(0x1_00_00);
for (const name of [...strongNames, ...weakNames]) {
  endings[(name.charCodeAt(name.length - 2) << 8) | name.charCodeAt(name.length - 1)] = 1;
}

/** Whether a secret's name may end with these two characters: refuses most names at once. */
export function mayEndName(one: number, last: number): boolean {
  if (last >= 0x30 && last <= 0x39) return true;
  return endings[((one | 0x20) << 8) | (last | 0x20)] === 1;
}

/** Rates a value by its name; undefined if the name says nothing. */
export function rateName(name: string): "strong" | "weak" | undefined {
  if (name.length < MIN_NAME_LENGTH || name.length > MAX_NAME_LENGTH) return undefined;
  if (!mayEndName(name.charCodeAt(name.length - 2), name.charCodeAt(name.length - 1))) return undefined;
  const plain = name.toLowerCase().replaceAll(/[^a-z]/g, "");
  if (strongNames.some((secret) => plain.endsWith(secret))) return "strong";
  const last = /(?:^|[_.-])([a-z]+)\d*$|([A-Z][a-z]+)\d*$|(?:^|[_.-])([A-Z]+)\d*$/.exec(name);
  const part = (last?.[1] ?? last?.[2] ?? last?.[3] ?? "").toLowerCase();
  return weakNames.some((weak) => part === weak) ? "weak" : undefined;
}

const MIN_NAME_LENGTH = 3;
const MAX_NAME_LENGTH = 100;
