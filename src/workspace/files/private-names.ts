/** The reason why an untracked file of the user's is not copied. */
export type PrivateReason = "looks-secret" | "environment";

/** Folders that a program fills: copying them as source would be wrong, and slow. */
const environmentFolders: ReadonlySet<string> = new Set(
  "node_modules bower_components .venv venv virtualenv .conda .tox .nox .direnv __pycache__ .gradle .terraform".split(
    " ",
  ),
);
/** A folder with one of these is an environment, whatever its name is. */
const environmentMarks: readonly string[] = ["pyvenv.cfg", "conda-meta/history"];
const secretFolders: ReadonlySet<string> = new Set([".ssh", ".gnupg", ".aws", ".azure", ".kube", "secrets"]);
const secretNames: ReadonlySet<string> = new Set(
  (
    ".env .envrc .netrc _netrc .npmrc .pypirc .pgpass .my.cnf .htpasswd .git-credentials .dockercfg credentials " +
    "credentials.json client_secret.json service-account.json serviceaccount.json secrets.yml secrets.yaml secrets.json " +
    "secrets.toml id_rsa id_dsa id_ecdsa id_ed25519 terraform.tfvars local.settings.json master.key"
  ).split(" "),
);
const secretEndings: readonly string[] =
  ".env .secret .secrets .pem .key .p12 .pfx .p8 .jks .keystore .kdbx .ppk .ovpn .gpg .tfstate".split(" ");
/** A name with one of these words is a secret if it is a file of data, not of code. */
const secretWords: ReadonlySet<string> = new Set(
  "secret secrets credential credentials password passwords passwd apikey apikeys".split(" "),
);
const dataEndings: ReadonlySet<string> = new Set(
  "txt json jsonc yml yaml toml ini conf cfg csv xml properties".split(" "),
);
/** `.env.example` exists to be shared. */
const sharedEndings: readonly string[] =
  ".example .sample .template .dist .defaults .test .md .txt .ts .js".split(" ");

export function isEnvironmentFolder(name: string): boolean {
  return environmentFolders.has(name);
}

/** Lists the folders among these paths that are environments by their content, each with a slash at its end. */
export function findEnvironmentRoots(paths: readonly string[]): readonly string[] {
  return paths.flatMap((path) =>
    environmentMarks
      .filter((mark) => path.endsWith(`/${mark}`))
      .map((mark) => path.slice(0, path.length - mark.length)),
  );
}

/** The folder up to the first environment in a path, with a slash at its end; undefined without one. */
export function findEnvironment(path: string, roots: readonly string[]): string | undefined {
  const names = path.split("/");
  const at = names.findIndex((name, index) => index < names.length - 1 && isEnvironmentFolder(name));
  if (at !== -1) return `${names.slice(0, at + 1).join("/")}/`;
  return roots.find((root) => path.startsWith(root));
}

/** Whether a file looks like a secret by its name; its content is not read. */
export function looksSecret(path: string): boolean {
  const names = path.toLowerCase().split("/");
  const name = names.pop() ?? "";
  if (names.some((folder) => secretFolders.has(folder))) return true;
  if (secretNames.has(name) || secretEndings.some((ending) => name.endsWith(ending))) return true;
  if (isSecretData(name)) return true;
  return name.startsWith(".env.") && !sharedEndings.some((ending) => name.endsWith(ending));
}

/** `api-password.txt`, `prod_credentials.json`, `secret`. */
function isSecretData(name: string): boolean {
  const words = name.split(/[._-]/);
  const ending = words.length > 1 ? words.at(-1) : "txt";
  return dataEndings.has(ending ?? "") && words.some((word) => secretWords.has(word));
}
