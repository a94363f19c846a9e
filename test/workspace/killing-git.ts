import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/**
 * A folder with a git that kills its caller once it has done its part: the unlucky moment. One that waits for ref changes
 * does not end, so its word that the change is made is the moment.
 */
export function makeKillingGit(folder: string, moment: string): string {
  mkdirSync(folder);
  const kill =
    moment === "update-ref"
      ? `/usr/bin/git "$@" | while read -r line; do [ "$line" = "commit: ok" ] && kill -9 $PPID; echo "$line"; done`
      : `/usr/bin/git "$@"; kill -9 $PPID; sleep 5`;
  const script = `#!/bin/sh\ncase "$*" in *" ${moment} "*) ${kill};; *) exec /usr/bin/git "$@";; esac\n`;
  writeFileSync(join(folder, "git"), script, { mode: 0o755 });
  return folder;
}
