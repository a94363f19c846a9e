/** The launcher's name for itself, followed by the run id. */
export const LAUNCHER_NAME = "ambit-launcher";

/**
 * The process between us and an agent, in Perl because Node can neither become a subreaper nor ask for a signal at
 * its parent's death, and Perl comes with git. It is passed with `-e`, so an agent has no file to change.
 *
 * Started early, it has the arguments `wait`, owner pid and a system call number; all else then comes over its input, and
 * it opens its files in the folder of its owner's descriptors.
 *
 * Arguments: owner pid, label, cgroup folder (`-` none, `own:MOUNT|NAME` below its own group), CPU seconds, file
 * bytes, whether to scope signals, system call numbers, then the command. Facts go to descriptor 3, one line each.
 *
 * There are no signal handlers: every signal stays blocked and is taken with sigtimedwait, so a second signal cannot
 * interrupt the handling of the first one.
 */
export const LAUNCHER_SCRIPT = String.raw`
use strict;
our $early_facts;
take_orders() if $ARGV[0] eq 'wait';
my ($owner, $label, $group, $cpu, $bytes, $scope, $numbers) = splice @ARGV, 0, 7;
my ($PRCTL, $SIGMASK, $SIGWAIT, $SETSID, $PRLIMIT) = map { $_ + 0 } split /,/, $numbers;
my ($SUBREAPER, $DEATHSIG, $NO_NEW_PRIVS) = (36, 1, 38);
my ($all, $none) = (pack('Q', ~0), pack('Q', 0));
$0 = "${LAUNCHER_NAME} $label";

syscall($SIGMASK, 2, $all, 0, 8);
open(my $facts, '>>&=', 3) or exit 125;
fcntl($facts, 2, 1);
sub note { syswrite $facts, "@_\n" }
sub refuse { note('failed', @_); rmdir $group; exit 125 }

syscall($PRCTL, $SUBREAPER, 1, 0, 0, 0) == 0 or refuse("subreaper: $!");
syscall($PRCTL, $DEATHSIG, 15, 0, 0, 0) == 0 or refuse("death signal: $!");
getppid() == $owner or refuse("the owner $owner is gone");

if ($group =~ /^own:(.*)\|(.*)$/) {
  my ($mount, $name) = ($1, $2);
  open(my $file, '<', '/proc/self/cgroup') or refuse("own cgroup: $!");
  my ($own) = map { /^0::(.*)$/ ? $1 : () } <$file>;
  defined $own or refuse('no cgroup v2');
  $group = "$mount/$own/$name";
  mkdir $group, 0700 or refuse("cgroup $group: $!");
  -e "$group/cgroup.kill" or refuse("no cgroup v2 with cgroup.kill at $group");
  note('cgroup', $group);
}

my $launcher = $$;
my ($agent, $status, $stop, $tries) = (0, 0, 0, 0);
start();
until ($stop) {
  my $signal = wait_signal(1, 0);
  # By now it runs: only it shall hold its input.
  open(STDIN, '<', '/dev/null') if $signal < 0;
  $stop = is_end($signal);
  my $ended = 0;
  while ((my $pid = waitpid(-1, 1)) > 0) { if ($pid == $agent) { $status = $?; $ended = 1 } }
  next unless $ended;
  $stop ||= !never_ran() || ++$tries > 7 || is_end(wait_signal(0, 5_000_000 * $tries));
  start() unless $stop;
}

my ($left, $until) = (0, time + 10);
for (;;) {
  my $pid;
  while (($pid = waitpid(-1, 1)) > 0) { $status = $? if $pid == $agent }
  last if $pid == -1;
  $left = slay();
  last if time > $until;
  wait_signal(0, 3_000_000);
}
my $swept = waitpid(-1, 1) == -1;
if ($group ne '-') { for (1 .. 50) { last if rmdir($group) || !-d $group; wait_signal(0, 2_000_000) } }
my (undef, undef, $user, $system) = times;
note('cpu', $user + $system);
note('exit', $status);
note($swept ? 'clean' : "left $left");
exit($status & 127 ? 128 + ($status & 127) : $status >> 8);

sub take_orders {
  my (undef, $owner, $prctl) = @ARGV;
  $0 = '${LAUNCHER_NAME} waiting';
  syscall($prctl + 0, 1, 15, 0, 0, 0);
  my $files = "/proc/$owner/fd";
  getppid() == $owner && opendir(my $probe, $files) or exit 125;
  closedir $probe;
  local $/;
  my ($folder, $in, $out, $errors, $facts, $count, @rest) = split /\0/, <STDIN> // '', -1;
  exit 125 unless @rest && pop(@rest) eq 'end';
  @ARGV = splice @rest, 0, $count;
  %ENV = map { /^([^=]*)=(.*)$/s ? ($1 => $2) : () } @rest;
  open($early_facts, '>>', "$files/$facts") && fileno($early_facts) == 3 or exit 125;
  my $failed = sub { syswrite $early_facts, "failed @_: $!\n"; exit 125 };
  open(STDIN, '<', "$files/$in") or $failed->('input');
  open(STDOUT, '>>', "$files/$out") or $failed->('output');
  open(STDERR, '>>', "$files/$errors") or $failed->('output');
  chdir $folder or $failed->($folder);
}

sub start {
  $agent = fork();
  defined $agent or refuse("fork: $!");
  become_agent() if $agent == 0;
  note('started', $agent);
}

sub is_end { my ($signal) = @_; return $signal == 15 || $signal == 2 || $signal == 1 || $signal == 3 || getppid() != $owner }

# Bubblewrap tells of an exit once the command was started. Before that it gives up, with 1, when a mount of anybody's
# that it has just seen goes away: nothing of the agent has run then. Killed, it tells nothing either, but not with 1.
sub never_ran {
  return 0 if $scope || $status != 256;
  open(my $file, '<', '/proc/self/fd/3') or return 0;
  local $/;
  return index(<$file>, '"exit-code"') < 0;
}

sub wait_signal { my ($seconds, $nanos) = @_; my $span = pack('qq', $seconds, $nanos); return syscall($SIGWAIT, $all, 0, $span, 8) }

sub become_agent {
  syscall($SETSID);
  syscall($PRCTL, $DEATHSIG, 9, 0, 0, 0);
  getppid() == $launcher or exit 125;
  if ($group ne '-') {
    open(my $procs, '+<', "$group/cgroup.procs") or refuse("cgroup $group: $!");
    defined syswrite($procs, "0\n") or refuse("cgroup $group: $!");
  }
  limit(0, $cpu, $cpu + 5) if $cpu;
  limit(1, $bytes, $bytes) if $bytes;
  if (open(my $score, '>', '/proc/self/oom_score_adj')) { syswrite $score, '500' }
  scope_signals() if $scope;
  # Whatever else is open, ours or inherited, closes at exec (close_range; the same number everywhere).
  syscall(436, 3, 4294967295, 4);
  # Bubblewrap closes it before it starts the command.
  fcntl($facts, 2, 0) unless $scope;
  $SIG{FPE} = 'DEFAULT';
  syscall($SIGMASK, 2, $none, 0, 8);
  { no warnings; exec { $ARGV[0] } @ARGV; }
  note('failed', "exec $ARGV[0]: $!");
  exit 127;
}

sub limit { my ($what, $soft, $hard) = @_; my $pair = pack('QQ', $soft, $hard); syscall($PRLIMIT, 0, $what + 0, $pair, 0) }

# Landlock 6 and later: the agent cannot signal this launcher or its owner. Older kernels go without.
sub scope_signals {
  return if syscall(444, 0, 0, 1) < 6;
  my $rules = pack('QQQ', 0, 0, 2);
  my $domain = syscall(444, $rules, 24, 0);
  return if $domain < 0;
  syscall($PRCTL, $NO_NEW_PRIVS, 1, 0, 0, 0);
  note('scoped') if syscall(446, $domain, 0) == 0;
}

# Whole groups: a signal to a group is atomic against fork, one to a list of processes is not.
sub slay {
  if ($group ne '-' && open(my $kill, '+<', "$group/cgroup.kill")) { syswrite $kill, "1\n" }
  my (%parent, %groups);
  opendir(my $proc, '/proc') or return 0;
  for my $pid (grep { /^\d+$/ } readdir $proc) {
    open(my $file, '<', "/proc/$pid/stat") or next;
    sysread($file, my $line, 1024) or next;
    my (undef, $above, $pgid) = split ' ', substr($line, rindex($line, ')') + 2);
    $parent{$pid} = $above;
    $groups{$pid} = $pgid;
  }
  my ($own, $count, %done) = ($groups{$$}, 0);
  for my $pid (keys %parent) {
    my ($above, $steps) = ($parent{$pid}, 0);
    $above = $parent{$above} while $above && $above != $$ && $steps++ < 4096;
    next unless $above && $above == $$;
    $count++;
    kill 'KILL', -$groups{$pid} if $groups{$pid} != $own && !$done{$groups{$pid}}++;
    kill 'KILL', $pid;
  }
  return $count;
}
`;
