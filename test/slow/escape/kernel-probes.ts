import { asRoot, opens, perl, plain, type Probe, sharedKey } from "./probe.ts";

export const kernelProbes: readonly Probe[] = [
  {
    name: "remount the objects writable",
    script: (s) =>
      `mount -o remount,rw,bind ${s.checkout}/.git/objects; echo x > ${s.checkout}/.git/objects/evil`,
    control: { kind: "weakened", without: ["--cap-drop ALL", "--disable-userns"] },
  },
  {
    name: "remount in a new user namespace",
    script: (s) =>
      `unshare -Urm sh -c "mount -o remount,rw,bind ${s.checkout}/.git/objects; echo x > ${s.checkout}/.git/objects/evil"`,
    control: { kind: "none", reason: "the kernel itself locks mounts of an outer namespace" },
  },
  { name: "make a user namespace", script: () => `unshare -Ur true && echo ESCAPED`, control: plain },
  {
    name: "leave by chroot",
    script: (s) =>
      perl(
        `mkdir "x"; chroot("x") and do { chdir("..") for 1..40; chroot("."); open(F, ">", "${s.checkout}/README.md") }`,
      ),
    control: asRoot,
  },
  {
    name: "enter another process's namespaces",
    script: (s) => `nsenter -t ${String(s.victim)} -m sh -c "echo x > ${s.checkout}/README.md"`,
    control: asRoot,
  },
  {
    name: "let the kernel start a program (core_pattern)",
    script: () => opens("/proc/sys/kernel/core_pattern"),
    control: asRoot,
  },
  {
    name: "change kernel settings",
    script: () =>
      `find /proc/sys/kernel /proc/sys/vm /proc/sys/fs -type f -writable 2>/dev/null | head -20 | xargs -r -n 1 perl -e 'open(F, "+<", $ARGV[0]) and print "ESCAPED\\n"'`,
    control: asRoot,
  },
  {
    name: "write /sys",
    script: () =>
      `find /sys -maxdepth 4 -type f -perm -200 2>/dev/null | head -40 | xargs -r -n 1 perl -e 'open(F, ">>", $ARGV[0]) and print "ESCAPED\\n"'`,
    control: asRoot,
  },
  {
    name: "move to another cgroup",
    script: () =>
      `for f in $(find /sys/fs/cgroup -maxdepth 2 -name cgroup.procs -o -maxdepth 2 -name tasks 2>/dev/null); do perl -e 'open(F, ">>", $ARGV[0]) and print "ESCAPED\\n"' $f; done`,
    control: asRoot,
  },
  {
    name: "mount a cgroup",
    script: () => `mkdir c; mount -t cgroup2 none c && echo ESCAPED && umount c`,
    control: { kind: "none", reason: "a mount outside is no canary" },
  },
  {
    name: "make a device node",
    script: () => `mknod n c 1 3 && echo x > n && echo ESCAPED`,
    control: asRoot,
  },
  { name: "open /dev/kmsg", script: () => opens("/dev/kmsg"), control: asRoot },
  {
    name: "open disks and memory",
    script: () =>
      `for d in /dev/mem /dev/port /dev/sd? /dev/vd? /dev/nvme* /dev/loop0 /dev/fuse /dev/kvm; do [ -e $d ] && perl -e 'open(F, "<", $ARGV[0]) and print "ESCAPED\\n"' $d; done`,
    control: asRoot,
  },
  {
    name: "gain rights by a set-uid program",
    script: (s) => `[ "$(${s.root}/suid/id -u)" = 0 ] && [ "$(id -ur)" != 0 ] && echo ESCAPED`,
    control: { kind: "plain-as-user" },
  },
  {
    name: "hold a capability",
    script: () => `grep -q "^CapEff:.*[1-9a-f]" /proc/self/status && echo ESCAPED`,
    control: asRoot,
  },
  {
    name: "read a key of the session",
    script: (s) =>
      perl(
        `my ($t, $n, $b) = ("user", "ambit-canary", " " x 64); my $k = syscall(250, 10, -3, $t, $n, 0); exit if $k < 0; syscall(250, 11, $k, $b, 64); print $b`,
      ).replace("ambit-canary", `ambit-${s.secret.slice(0, 8)}`),
    control: plain,
  },
  {
    name: "read System V shared memory",
    script: (s) =>
      perl(
        `my $i = shmget(${String(sharedKey(s.secret))}, 0, 0) // exit; shmread($i, my $b, 0, 32); print $b`,
      ),
    control: plain,
    passesLandlock: true,
  },
];
