import { encodeEntries, encodeInode, entryKinds, type ImageOwner, measureEntries } from "./image-records.ts";
import type { ImageSpace, Place } from "./image-space.ts";

const FOLDER_TYPE = 0o040000;

interface Child {
  readonly name: string;
  readonly kind: number;
  readonly place: Place;
}

/** A folder while its image is written. */
interface Folder {
  readonly files: Child[];
  readonly folders: Map<string, Folder>;
}

export interface FolderSettings extends ImageOwner {
  readonly mode: number;
  readonly root: Place;
}

/** Collects the files of an image and writes the folders above them. */
export class ImageFolders {
  readonly #root: Folder = newFolder();
  /** The folder of the last file, because files of one folder follow each other. */
  #last = { path: "", folder: this.#root };

  addFile(path: string, kind: number, place: Place): void {
    const slash = path.lastIndexOf("/");
    const folder = this.#findFolder(path.slice(0, Math.max(slash, 0)));
    folder.files.push({ name: path.slice(slash + 1), kind, place });
  }

  /** Writes all folders; returns how many there are. */
  write(space: ImageSpace, settings: FolderSettings): number {
    return writeFolder({ space, settings }, this.#root, { self: settings.root, above: settings.root });
  }

  #findFolder(path: string): Folder {
    if (path === this.#last.path) return this.#last.folder;
    let folder = this.#root;
    for (const name of path === "" ? [] : path.split("/")) {
      const next = folder.folders.get(name) ?? newFolder();
      folder.folders.set(name, next);
      folder = next;
    }
    this.#last = { path, folder };
    return folder;
  }
}

function newFolder(): Folder {
  return { files: [], folders: new Map() };
}

interface Writing {
  readonly space: ImageSpace;
  readonly settings: FolderSettings;
}

/** A folder names those below it, so they are placed first; they name it, so its own place is known before. */
function writeFolder(
  writing: Writing,
  folder: Folder,
  { self, above }: { readonly self: Place; readonly above: Place },
): number {
  const { space, settings } = writing;
  let count = 1;
  const folders = [...folder.folders].map(([name, below]) => {
    const place = space.findPlace(measureEntries(listNames(below)));
    count += writeFolder(writing, below, { self: place, above: self });
    return { name, kind: entryKinds.folder, place };
  });
  const entries = [
    { name: ".", kind: entryKinds.folder, place: self },
    { name: "..", kind: entryKinds.folder, place: above },
    ...folders,
    ...folder.files,
  ];
  const content = encodeEntries(entries.toSorted((one, other) => (one.name < other.name ? -1 : 1)));
  const { mode, user, group } = settings;
  const facts = { mode: FOLDER_TYPE | mode, links: folders.length + 2, size: content.length, user, group };
  space.writeInode(self, encodeInode({ ...facts, place: self }));
  space.writeContent(self, content);
  return count;
}

function listNames({ files, folders }: Folder): readonly string[] {
  return [".", "..", ...folders.keys(), ...files.map(({ name }) => name)].toSorted();
}
