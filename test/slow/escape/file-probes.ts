import { asRoot, opens, plain, type Probe } from "./probe.ts";

export const fileProbes: readonly Probe[] = [
  { name: "write the user's checkout", script: (s) => `echo x > ${s.checkout}/README.md`, control: plain },
  { name: "add a file to the checkout", script: (s) => `echo x > ${s.checkout}/new`, control: plain },
  { name: "delete the checkout", script: (s) => `rm -rf ${s.checkout}/README.md`, control: plain },
  { name: "write HOME of the user", script: (s) => `echo x >> ${s.home}/.profile`, control: plain },
  { name: "write /etc", script: () => opens("/etc/hosts"), control: asRoot },
  { name: "write /usr", script: () => opens("/usr/bin/env"), control: asRoot },
  { name: "write beside the clone", script: (s) => `echo x > ${s.root}/beside`, control: plain },
  { name: "write Ambit's state", script: (s) => `echo x > ${s.state}/journal`, control: plain },
  {
    name: "write through a symbolic link",
    script: (s) => `ln -s ${s.checkout} l; echo x > l/README.md`,
    control: plain,
  },
  {
    name: "write through a hard link",
    script: (s) => `ln ${s.checkout}/README.md h; echo x > h`,
    control: plain,
  },
  { name: "move a file out", script: (s) => `echo x > f; mv f ${s.checkout}/moved`, control: plain },
  {
    name: "write through /proc/1/root",
    script: (s) => `for p in /proc/[0-9]*; do echo x > $p/root${s.checkout}/README.md; done`,
    control: plain,
  },
  {
    name: "write through another process's folder",
    script: (s) => `echo x > /proc/${String(s.victim)}/cwd/README.md`,
    control: plain,
  },
  {
    name: "write through an inherited descriptor",
    script: () =>
      `for d in /proc/self/fd/*; do echo x > $d/project/README.md; done; cd /proc/self/fd/7 && cat home/.ssh/id_rsa`,
    control: plain,
    inheritsFolder: true,
  },
  {
    name: "change rights of the user's files",
    script: (s) => `chmod 777 ${s.home}/.ssh/id_rsa`,
    control: plain,
    passesLandlock: true,
  },
  { name: "read an ssh key", script: (s) => `cat ${s.home}/.ssh/id_rsa`, control: plain },
  { name: "read another repository", script: (s) => `cat ${s.other}/notes.txt`, control: plain },
  { name: "read an uncommitted file", script: (s) => `cat ${s.checkout}/untracked.env`, control: plain },
  { name: "read the user's git config", script: (s) => `cat ${s.checkout}/.git/config`, control: plain },
  {
    name: "read /etc/shadow",
    script: () => `head -c1 /etc/shadow | grep -q . && echo ESCAPED`,
    control: asRoot,
  },
  {
    name: "read the root user's folder",
    script: () => `ls -a /root > /dev/null && echo ESCAPED`,
    control: asRoot,
  },
  {
    name: "see that a file of the user is there",
    script: (s) => `test -e ${s.home}/.ssh/id_rsa && echo ESCAPED`,
    control: plain,
    passesLandlock: true,
  },
  { name: "read shared memory files", script: (s) => `cat ${s.shared}`, control: plain },
];

export const repositoryProbes: readonly Probe[] = [
  {
    name: "plant a hook in the user's repository",
    script: (s) => `mkdir -p ${s.checkout}/.git/hooks; echo x > ${s.checkout}/.git/hooks/post-checkout`,
    control: plain,
  },
  {
    name: "change the user's git config",
    script: (s) => `git --git-dir=${s.checkout}/.git config core.fsmonitor x`,
    control: plain,
  },
  {
    name: "plant objects in the user's repository",
    script: (s) => `mkdir -p ${s.checkout}/.git/objects/aa; echo x > ${s.checkout}/.git/objects/aa/evil`,
    control: plain,
  },
  {
    name: "delete objects of the user's repository",
    script: (s) => `find ${s.checkout}/.git/objects -type f | head -3 | xargs rm -f`,
    control: plain,
  },
  {
    name: "redirect the alternates of the user's repository",
    script: (s) =>
      `mkdir -p ${s.checkout}/.git/objects/info; echo /x > ${s.checkout}/.git/objects/info/alternates`,
    control: plain,
  },
  {
    name: "swap .git for the user's and commit",
    script: (s) =>
      `mkdir w; cd w; ln -s ${s.checkout}/.git .git; git -c user.name=w -c user.email=w@w commit -q --allow-empty -m x`,
    control: plain,
  },
  {
    name: "push to the user's repository",
    script: (s) =>
      `git init -q p; cd p; git -c user.name=w -c user.email=w@w commit -q --allow-empty -m x; git push -q ${s.checkout} HEAD:refs/heads/evil`,
    control: plain,
  },
];
