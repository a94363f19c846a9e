import { readdirSync, readFileSync } from "node:fs";

/**
 * The worst agent we know, five processes that all hold stdout open and ignore every polite signal: itself, a plain
 * one below it, one in a new session, a daemon, and a daemon that has cleared its environment. With the second
 * argument `leave` the first one goes as soon as the others are there. All carry the token in their command line.
 */
const SCRIPT = String.raw`
use POSIX ();
$SIG{$_} = 'IGNORE' for qw(TERM INT HUP QUIT USR1 USR2 ALRM);
my ($token, $mode) = @ARGV;
pipe(my $in, my $out);
sub stay { syswrite $out, 'x'; sleep 1000 while 1 }
sub daemonize { POSIX::setsid(); exit 0 if fork() }
unless (fork()) { stay() }
unless (fork()) { POSIX::setsid(); stay() }
unless (fork()) { daemonize(); stay() }
unless (fork()) {
  daemonize();
  $^F = 255; my $fd = fileno($out); fcntl($out, 2, 0);
  %ENV = ();
  exec '/usr/bin/perl', '-e', 'open(my $o, ">&=", $ARGV[1]); syswrite $o, "x"; sleep 1000 while 1', $token, $fd;
}
my $up = 0;
while ($up < 4) { $up += sysread($in, my $bytes, 4) // 0 }
syswrite STDOUT, "ready\n";
exit 0 if $mode eq 'leave';
sleep 1000 while 1;
`;

export const HOSTILE_PROCESSES = 5;

export function hostileAgent(token: string, mode: "stay" | "leave"): readonly string[] {
  return ["/usr/bin/perl", "-e", SCRIPT, "--", token, mode];
}

export interface Found {
  readonly pid: number;
  readonly start: string;
}

/** Living processes whose command line holds the token, whatever they did to their environment or session. */
export function findByToken(token: string): readonly Found[] {
  const numbers = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  return numbers.flatMap((name) => {
    const start = startOf(Number(name));
    if (start === undefined || Number(name) === process.pid) return [];
    return commandLine(name).includes(token) ? [{ pid: Number(name), start }] : [];
  });
}

export function isAlive(found: Found): boolean {
  return startOf(found.pid) === found.start;
}

function startOf(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return fields[0] === "Z" || fields[0] === "X" ? undefined : fields[19];
  } catch {
    return undefined;
  }
}

function commandLine(name: string): string {
  try {
    return readFileSync(`/proc/${name}/cmdline`, "latin1");
  } catch {
    return "";
  }
}

/** Clears up after a control: kills exactly the processes with the token in their command line. */
export function killByToken(token: string): void {
  for (let left = findByToken(token); left.length > 0; left = findByToken(token)) {
    for (const { pid } of left) {
      try {
        process.kill(pid, "SIGKILL");
      } catch {
        // Gone already.
      }
    }
  }
}
