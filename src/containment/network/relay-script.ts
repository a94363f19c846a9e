/**
 * The first process inside a network namespace, in Perl for the same reasons as the launcher. It listens where services
 * are expected and then becomes the command. A process that it leaves behind, which is not a child of the command, connects
 * each caller to a socket file of ours; our process outside passes the bytes on to the service.
 *
 * Arguments: number of places, places (`address port file`), then the command. A place that cannot be listened at ends it
 * with 125, except on IPv6, which a machine may have switched off.
 */
export const RELAY_SCRIPT = String.raw`
use strict;
use Socket;
my @places = map { [split / /, $_, 3] } splice @ARGV, 0, shift @ARGV;
my (%file, %handle, %peer, %waiting, %ended);
sub refuse { syswrite STDERR, "ambit-relay: @_\n"; exit 125 }
listen_at(@$_) for @places;

if (%file) {
  my $between = fork();
  defined $between or refuse("fork: $!");
  if ($between == 0) {
    my $relay = fork();
    serve() if defined $relay && $relay == 0;
    exit(defined $relay ? 0 : 125);
  }
  waitpid($between, 0);
  $? == 0 or refuse('no process to forward with');
}
{ no warnings; exec { $ARGV[0] } @ARGV; }
syswrite STDERR, "ambit-relay: cannot run $ARGV[0]: $!\n";
exit 127;

sub listen_at {
  my ($address, $port, $file) = @_;
  my $is_six = index($address, ':') >= 0;
  my $family = $is_six ? Socket::AF_INET6() : AF_INET;
  my $bytes = Socket::inet_pton($family, $address);
  my $place = $is_six ? Socket::pack_sockaddr_in6($port, $bytes) : pack_sockaddr_in($port, $bytes);
  my $socket;
  my $ok = socket($socket, $family, SOCK_STREAM, 0) && setsockopt($socket, SOL_SOCKET, SO_REUSEADDR, pack('l', 1))
    && bind($socket, $place) && listen($socket, 128);
  return if $is_six && !$ok;
  $ok or refuse("cannot listen on $address:$port: $!");
  keep($socket);
  $file{fileno $socket} = $file;
}

# F_SETFL and O_NONBLOCK, the same numbers on every architecture that has a launcher.
sub keep { my ($socket) = @_; fcntl($socket, 4, 2048); $handle{fileno $socket} = $socket }

sub serve {
  $SIG{$_} = 'IGNORE' for qw(PIPE TERM INT HUP QUIT USR1 USR2);
  $0 = 'ambit-relay';
  for (\*STDIN, \*STDOUT, \*STDERR) { open($_, '+<', '/dev/null') }
  for (;;) {
    my ($read, $write) = ('', '');
    vec($read, $_, 1) = 1 for keys %file;
    for (keys %peer) {
      vec($read, $_, 1) = 1 if !$ended{$_} && $waiting{$peer{$_}} eq '';
      vec($write, $_, 1) = 1 if $waiting{$_} ne '';
    }
    next if select($read, $write, undef, undef) < 1;
    for (keys %peer) { push_on($_) if exists $peer{$_} && vec($write, $_, 1) }
    for (keys %peer) { take_in($_) if exists $peer{$_} && vec($read, $_, 1) }
    for (keys %file) { admit($_) if vec($read, $_, 1) }
  }
}

sub admit {
  my ($listener) = @_;
  accept(my $caller, $handle{$listener}) or return;
  socket(my $way, AF_UNIX, SOCK_STREAM, 0) or return;
  connect($way, pack_sockaddr_un($file{$listener})) or return;
  keep($_) for $caller, $way;
  my ($one, $other) = (fileno $caller, fileno $way);
  @peer{$one, $other} = ($other, $one);
  @waiting{$one, $other} = ('', '');
}

sub take_in {
  my ($from) = @_;
  my $count = sysread($handle{$from}, my $bytes, 65536);
  return if !defined $count && ($!{EAGAIN} || $!{EINTR});
  return drop($from) unless defined $count;
  my $to = $peer{$from};
  $waiting{$to} = $bytes;
  return push_on($to) if $count;
  $ended{$from} = 1;
  shutdown($handle{$to}, 1);
  drop($from) if $ended{$to};
}

sub push_on {
  my ($to) = @_;
  my $count = syswrite($handle{$to}, $waiting{$to});
  return if !defined $count && ($!{EAGAIN} || $!{EINTR});
  return drop($to) unless defined $count;
  substr($waiting{$to}, 0, $count) = '';
}

sub drop { my ($one) = @_; my $other = delete $peer{$one}; delete $peer{$other}; for my $hash (\%handle, \%waiting, \%ended) { delete @$hash{$one, $other} } }
`;
