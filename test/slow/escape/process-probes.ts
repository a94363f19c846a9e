import { networkInterfaces } from "node:os";
import { asRoot, opens, perl, plain, type Probe } from "./probe.ts";

export const processProbes: readonly Probe[] = [
  {
    name: "see processes of others",
    script: (s) => `test -d /proc/${String(s.victim)} && echo ESCAPED`,
    control: plain,
    passesLandlock: true,
  },
  { name: "kill a process of others", script: (s) => `kill -9 ${String(s.victim)}`, control: plain },
  {
    name: "trace a process of others",
    script: (s) => perl(`syscall(101, 16, ${String(s.victim)}, 0, 0) == 0 and print "ESCAPED\\n"`),
    control: plain,
  },
  { name: "read environments of others", script: () => `cat /proc/[0-9]*/environ`, control: plain },
  {
    name: "read the supervisor's environment",
    script: () => `env; cat /proc/1/environ /proc/self/environ`,
    control: plain,
  },
  { name: "write to a terminal of others", script: (s) => opens(s.terminal), control: plain },
  {
    name: "type into a terminal (TIOCSTI)",
    script: (s) =>
      perl(
        `for my $t ("${s.terminal}", "/dev/tty", "/proc/self/fd/0") { open(F, "+<", $t) or next; my $c = "x"; ioctl(F, 0x5412, $c) and print "ESCAPED\\n" }`,
      ),
    control: asRoot,
  },
  {
    name: "connect to a socket file",
    script: (s) =>
      perl(
        `use Socket; socket(S, AF_UNIX, SOCK_STREAM, 0) and connect(S, pack_sockaddr_un("${s.socketPath}")) and print "ESCAPED\\n"`,
      ),
    control: plain,
  },
  {
    name: "connect to an abstract socket",
    script: (s) =>
      perl(
        `use Socket; socket(S, AF_UNIX, SOCK_STREAM, 0) and connect(S, pack("Sxa*", 1, "${s.abstractName}")) and print "ESCAPED\\n"`,
      ),
    control: plain,
  },
  { name: "connect to TCP on the loopback", script: (s) => tcp("127.0.0.1", s.tcpPort), control: plain },
  {
    name: "connect to TCP on the machine's address",
    script: (s) => tcp(s.address, s.tcpPort),
    control: plain,
  },
  {
    name: "connect to TCP by IPv6",
    script: (s) =>
      perl(
        `use Socket qw(:DEFAULT inet_pton pack_sockaddr_in6); socket(S, AF_INET6, SOCK_STREAM, 0) and connect(S, pack_sockaddr_in6(${String(s.tcpPort)}, inet_pton(AF_INET6, "::1"))) and print "ESCAPED\\n"`,
      ),
    control: hasIpv6() ? plain : { kind: "none", reason: "no IPv6 here" },
  },
  { name: "send UDP", script: (s) => udp("127.0.0.1", s.udpPort), control: plain },
  {
    name: "send UDP to the machine's address, as DNS does",
    script: (s) => udp(s.address, s.udpPort),
    control: plain,
  },
  {
    name: "open a raw network interface",
    script: () => perl(`socket(S, 17, 3, 0) and print "ESCAPED\\n"`),
    control: asRoot,
  },
  {
    name: "leave a daemon behind",
    script: (s) =>
      perl(
        `use POSIX; for (1..2) { exit if fork; setsid() } exec { "/bin/sleep" } "daemon-${s.secret}", 100000`,
      ).replace("perl -e", "env -i /usr/bin/perl -e"),
    control: plain,
  },
];

function hasIpv6(): boolean {
  return Object.values(networkInterfaces())
    .flat()
    .some((entry) => entry?.address === "::1");
}

function tcp(address: string, port: number): string {
  return perl(
    `use Socket; socket(S, AF_INET, SOCK_STREAM, 0) and connect(S, pack_sockaddr_in(${String(port)}, inet_aton("${address}"))) and print "ESCAPED\\n"`,
  );
}

function udp(address: string, port: number): string {
  return perl(
    `use Socket; socket(S, AF_INET, SOCK_DGRAM, 0) and send(S, "x", 0, pack_sockaddr_in(${String(port)}, inet_aton("${address}"))) and select(undef, undef, undef, 0.05)`,
  );
}
