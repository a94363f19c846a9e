/** The launcher's name for itself, followed by the run id. */
export const LAUNCHER_NAME = "ambit-launcher";

/**
 * The process between us and an agent, in Perl because Node can neither become a subreaper nor ask for a signal at
 * its parent's death, and Perl comes with git. It is passed with `-e`, so an agent has no file to change.
 *
 * Arguments: owner pid, label, cgroup folder (`-` none, `own:MOUNT|NAME` below its own group), CPU seconds, file
 * bytes, whether to scope signals, system call numbers, then the command. Facts go to descriptor 3, one line each.
 *
 * With the arguments `wait`, owner pid and system call numbers, it waits for orders on descriptor 4, which name all of
 * this, and opens its files in the folder of its owner's descriptors. It writes a letter there whenever it waits: at its
 * start, and after each run of which nothing is left. It ends when the orders end, and with a run during which it was
 * told to.
 *
 * There are no signal handlers: during a run every signal stays blocked and is taken with sigtimedwait, so a second
 * signal cannot interrupt the handling of the first one.
 */
export const LAUNCHER_SCRIPT = String.raw`
use strict;
my ($SUBREAPER, $DEATHSIG, $NO_NEW_PRIVS) = (36, 1, 38);
my ($all, $none) = (pack('Q', ~0), pack('Q', 0));
my ($owner, $label, $group, $cpu, $bytes, $scope, $facts);
my ($PRCTL, $SIGMASK, $SIGWAIT, $SETSID, $PRLIMIT);
my ($launcher, $agent, $status, $stop, $ends, $tries);

serve() if $ARGV[0] eq 'wait';
open($facts, '>>&=', 3) or exit 125;
fcntl($facts, 2, 1);
exit run();

# Facts that could not be written are known from the exit alone.
sub note { my $line = "@_\n"; $ends = 1 if (syswrite($facts, $line) || 0) < length $line }
sub refuse { note('failed', @_); rmdir $group; exit 125 }
sub name_calls { ($PRCTL, $SIGMASK, $SIGWAIT, $SETSID, $PRLIMIT) = map { $_ + 0 } split /,/, $_[0] }

sub run {
  ($owner, $label, $group, $cpu, $bytes, $scope, my $numbers) = splice @ARGV, 0, 7;
  name_calls($numbers);
  ($launcher, $agent, $status, $stop, $ends, $tries) = ($$, 0, 0, 0, 0, 0);
  my (undef, undef, @spent) = times;
  $0 = "${LAUNCHER_NAME} $label";
  syscall($SIGMASK, 2, $all, 0, 8);
  syscall($PRCTL, $SUBREAPER, 1, 0, 0, 0) == 0 or refuse("subreaper: $!");
  syscall($PRCTL, $DEATHSIG, 15, 0, 0, 0) == 0 or refuse("death signal: $!");
  getppid() == $owner or refuse("the owner $owner is gone");
  make_group($1, $2) if $group =~ /^own:(.*)\|(.*)$/;
  start();
  attend();
  my ($left, $swept) = sweep();
  if ($group ne '-') { for (1 .. 50) { last if rmdir($group) || !-d $group; wait_signal(0, 2_000_000) } }
  my (undef, undef, @used) = times;
  note('cpu', sprintf('%.2f', $used[0] + $used[1] - $spent[0] - $spent[1]));
  note('exit', $status);
  note($swept ? 'clean' : "left $left");
  $ends ||= !$swept;
  return $status & 127 ? 128 + ($status & 127) : $status >> 8;
}

sub make_group {
  my ($mount, $name) = @_;
  open(my $file, '<', '/proc/self/cgroup') or refuse("own cgroup: $!");
  my ($own) = map { /^0::(.*)$/ ? $1 : () } <$file>;
  defined $own or refuse('no cgroup v2');
  $group = "$mount/$own/$name";
  mkdir $group, 0700 or refuse("cgroup $group: $!");
  -e "$group/cgroup.kill" or refuse("no cgroup v2 with cgroup.kill at $group");
  note('cgroup', $group);
}

sub attend {
  until ($stop) {
    my $signal = wait_signal(1, 0);
    # By now it runs: only it shall hold its input.
    open(STDIN, '<', '/dev/null') if $signal < 0;
    $stop = $ends = is_end($signal);
    my $ended = 0;
    while ((my $pid = waitpid(-1, 1)) > 0) { if ($pid == $agent) { $status = $?; $ended = 1 } }
    next unless $ended;
    $stop ||= !never_ran() || ++$tries > 7 || ($ends = is_end(wait_signal(0, 5_000_000 * $tries)));
    start() unless $stop;
  }
}

sub sweep {
  my ($left, $until) = (0, time + 10);
  for (;;) {
    my $pid;
    while (($pid = waitpid(-1, 1)) > 0) { $status = $? if $pid == $agent }
    last if $pid == -1;
    $left = slay();
    last if time > $until;
    wait_signal(0, 3_000_000);
  }
  return ($left, waitpid(-1, 1) == -1);
}

sub serve {
  my $files = "/proc/$ARGV[1]/fd";
  name_calls($ARGV[2]);
  syscall($PRCTL, $DEATHSIG, 15, 0, 0, 0);
  getppid() == $ARGV[1] && opendir(my $probe, $files) or exit 125;
  closedir $probe;
  open(my $channel, '+<&=', 4) or exit 125;
  fcntl($channel, 2, 1);
  for (;;) {
    $0 = '${LAUNCHER_NAME} waiting';
    # A signal that came too late for the last run ends it here, before it is known to wait.
    syscall($SIGMASK, 2, $none, 0, 8);
    syswrite $channel, 'w';
    take_orders($files, receive($channel, unpack('N', receive($channel, 4))));
    my $code = run();
    exit $code if $ends;
    forget_run();
  }
}

sub receive {
  my ($channel, $length) = @_;
  my $text = '';
  while (length $text < $length) { sysread($channel, $text, $length - length $text, length $text) or exit 0 }
  return $text;
}

sub take_orders {
  my ($files, $orders) = @_;
  my ($folder, $in, $out, $errors, $number, $count, @rest) = split /\0/, $orders, -1;
  @ARGV = splice @rest, 0, $count;
  %ENV = map { /^([^=]*)=(.*)$/s ? ($1 => $2) : () } @rest;
  open($facts, '>>', "$files/$number") && fileno($facts) == 3 or exit 125;
  my $failed = sub { syswrite $facts, "failed @_: $!\n"; exit 125 };
  open(STDIN, '<', "$files/$in") or $failed->('input');
  open(STDOUT, '>>', "$files/$out") or $failed->('output');
  open(STDERR, '>>', "$files/$errors") or $failed->('output');
  chdir $folder or $failed->($folder);
}

sub forget_run {
  chdir '/' or exit 125;
  close $facts;
  %ENV = @ARGV = ();
  open(STDIN, '<', '/dev/null') && open(STDOUT, '>', '/dev/null') && open(STDERR, '>', '/dev/null') or exit 125;
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
