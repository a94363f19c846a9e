/**
 * The last process before a sandboxed command, in Perl for the same reasons as the launcher. It gives up everything
 * that a worker does not need and then becomes the command:
 *
 * - always: open files, the keys of the session, kernel key and io_uring calls, typing into terminals; on new kernels
 * also signals and abstract sockets that lead out;
 * - `caps`: every capability; `files`: all files but those of the rules; `tcp`: TCP; `sockets`: every new socket.
 *
 * Arguments: numbers of this machine, flags, number of rules, rules (`r:`, `w:` or `d:` and a path), then the
 * command. If it cannot do what it is asked for, it exits with 125: a command never runs with less protection.
 */
export const GUARD_SCRIPT = String.raw`
use strict;
my ($numbers, $flags, $count) = splice @ARGV, 0, 3;
my @rules = splice @ARGV, 0, $count;
my ($PRCTL, $SOCKET, $ADD_KEY, $REQUEST_KEY, $KEYCTL, $IOCTL, $CAPSET, $ARCH) = map { $_ + 0 } split /,/, $numbers;
my %on = map { $_ => 1 } split /,/, $flags;
sub refuse { syswrite STDERR, "ambit-guard: @_\n"; exit 125 }
sub prctl { my ($what, $first, $second) = @_; return syscall($PRCTL, $what + 0, $first, $second, 0, 0) }

# A new, empty session keyring; kernels without keyrings have nothing to give away.
syscall($KEYCTL, 1, 0) >= 0 || $!{ENOSYS} or refuse("session keyring: $!");
prctl(38, 1, 0) == 0 or refuse("no_new_privs: $!");
restrict(syscall(444, 0, 0, 1));
drop_capabilities() if $on{caps};
# Folders and files that somebody above left open are ways out; close_range, as in the launcher.
syscall(436, 3, 4294967295, 4);
filter_calls();
{ no warnings; exec { $ARGV[0] } @ARGV; }
syswrite STDERR, "ambit-guard: cannot run $ARGV[0]: $!\n";
exit 127;

sub restrict {
  my ($abi) = @_;
  refuse("this kernel has no Landlock: $!") if $on{files} && $abi < 1;
  return if $abi < 1;
  # Bits 13, 14 and 15: moving between folders, truncating, device ioctls.
  my $files = 8191 | ($abi > 1 ? 8192 : 0) | ($abi > 2 ? 16384 : 0) | ($abi > 4 ? 32768 : 0);
  my @sets = ($on{files} ? $files : 0, $on{tcp} ? 3 : 0, 3);
  splice @sets, $abi > 5 ? 3 : $abi > 3 ? 2 : 1;
  return unless grep { $_ } @sets;
  my $set = pack('Q*', @sets);
  my $domain = syscall(444, $set, length($set), 0);
  refuse("Landlock: $!") if $domain < 0;
  if ($on{files}) { allow($domain, $files, $_) for @rules }
  syscall(446, $domain, 0) == 0 or refuse("Landlock: $!");
}

sub allow {
  my ($domain, $handled, $rule) = @_;
  my ($kind, $path) = split /:/, $rule, 2;
  # O_PATH: rules are about places, which need not be readable.
  unless (sysopen(my $place, $path, 010000000)) { return if $kind eq 'r' && $!{ENOENT}; refuse("$path: $!") }
  else {
    # Reading is 1, 4 and 8; making device files, 64 and 2048, is never allowed.
    my $rights = $kind eq 'r' ? 13 : $kind eq 'd' ? 2 + 4 + 16384 + 32768 : $handled & ~(64 + 2048);
    $rights &= 1 + 2 + 4 + 16384 + 32768 unless -d $path;
    my $beneath = pack('Ql', $rights & $handled, fileno $place);
    syscall(445, $domain, 1, $beneath, 0) == 0 or refuse("Landlock rule for $path: $!");
    close $place;
  }
}

# With an empty bounding set even a program run as root starts without capabilities.
sub drop_capabilities {
  for my $capability (0 .. 63) { prctl(24, $capability, 0) }
  prctl(47, 4, 0);
  my ($header, $none) = (pack('Ll', 0x20080522, 0), pack('L6', 0, 0, 0, 0, 0, 0));
  syscall($CAPSET, $header, $none) == 0 or refuse("capabilities: $!");
  open(my $status, '<', '/proc/self/status') or refuse("/proc/self/status: $!");
  for (<$status>) { refuse("capabilities are left: $_") if /^Cap(Inh|Prm|Eff|Amb):/ && !/:\s*0+\s*$/ }
}

sub filter_calls {
  my ($EPERM, $EACCES, $ENOSYS) = map { 0x50000 + $_ } 1, 13, 38;
  my @answers = map { [$_, $ENOSYS] } $ADD_KEY, $REQUEST_KEY, $KEYCTL, 425;
  push @answers, [$SOCKET, $EACCES] if $on{sockets};
  my @steps = ([0x20, 0, 0, 4], [0x15, 1, 0, $ARCH], [6, 0, 0, $ENOSYS], [0x20, 0, 0, 0]);
  # The second set of numbers that x86-64 kernels answer to.
  push @steps, [0x35, 0, 1, 0x40000000], [6, 0, 0, $ENOSYS] if $ARCH == 0xC000003E;
  push @steps, [0x15, 0, 1, $$_[0]], [6, 0, 0, $$_[1]] for @answers;
  # TIOCSTI and TIOCLINUX type into a terminal.
  push @steps, [0x15, 0, 4, $IOCTL], [0x20, 0, 0, 24], [0x15, 1, 0, 0x5412], [0x15, 0, 1, 0x541C], [6, 0, 0, $EPERM];
  push @steps, [6, 0, 0, 0x7fff0000];
  my $program = join '', map { pack('SCCL', @$_) } @steps;
  my $filter = pack('Sx6P', scalar @steps, $program);
  prctl(22, 2, $filter) == 0 or refuse("seccomp: $!");
}
`;
