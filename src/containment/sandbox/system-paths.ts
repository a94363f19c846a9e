/** Programs and libraries of the system. Those that a machine lacks are left out. */
export const systemFolders: readonly string[] = [
  "/usr",
  "/bin",
  "/sbin",
  "/lib",
  "/lib32",
  "/lib64",
  "/libx32",
];

/**
 * The files of `/etc` that programs read. A list, because the rest holds passwords, keys and the settings of
 * services.
 */
export const systemSettings: readonly string[] = [
  "alternatives",
  "bash.bashrc",
  "ca-certificates",
  "debian_version",
  "fonts",
  "gai.conf",
  "group",
  "host.conf",
  "hosts",
  "inputrc",
  "java-11-openjdk",
  "java-17-openjdk",
  "java-21-openjdk",
  "ld.so.cache",
  "ld.so.conf",
  "ld.so.conf.d",
  "locale.alias",
  "localtime",
  "magic",
  "mime.types",
  "nsswitch.conf",
  "os-release",
  "passwd",
  "perl",
  "pki/ca-trust",
  "pki/tls/certs",
  "profile",
  "protocols",
  "python3",
  "services",
  "shells",
  // Node and others do not start without it where it exists. Private keys are in neighbouring folders, which are not
  // listed.
  "ssl/certs",
  "ssl/openssl.cnf",
  "terminfo",
  "timezone",
].map((name) => `/etc/${name}`);

/** Files for name resolution. */
export const networkSettings: readonly string[] = ["/etc/resolv.conf"];

/**
 * Parts of `/proc` that the kernel lets root write without any capability, including `core_pattern`, by which the
 * kernel starts a program outside. Bubblewrap 0.8 leaves `/proc/sys` open.
 */
export const kernelSettings: readonly string[] = [
  "/proc/sys",
  "/proc/sysrq-trigger",
  "/proc/irq",
  "/proc/bus",
  "/proc/fs",
  "/proc/scsi",
  "/proc/acpi",
  "/proc/asound",
  "/proc/driver",
  "/proc/mtrr",
  "/proc/pressure",
];

export const plainDevices: readonly string[] = [
  "/dev/null",
  "/dev/zero",
  "/dev/full",
  "/dev/random",
  "/dev/urandom",
];
