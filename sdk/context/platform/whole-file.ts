import { randomUUID } from "node:crypto";
import { link, mkdir, open, rename, rm } from "node:fs/promises";
import { join } from "node:path";

/** Writes a text to a new file, readable only by this user, that a crash can't lose. */
async function writeNew(file: string, text: string): Promise<void> {
  const handle = await open(file, "wx", 0o600);
  try {
    await handle.writeFile(text);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Writes a text to a new file of a folder. Returns its path. */
async function written(folder: string, text: string): Promise<string> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const file = join(folder, `.${randomUUID()}`);
  await writeNew(file, text);
  return file;
}

/** Creates a file with its complete content, or replaces it. */
export async function writeWhole(folder: string, name: string, text: string): Promise<void> {
  await rename(await written(folder, text), join(folder, name));
}

/**
 * Creates a file with its complete content, or not at all. Returns `false` if it exists. On a file system without hard
 * links, a crash can leave it incomplete.
 */
export async function createWhole(folder: string, name: string, text: string): Promise<boolean> {
  const [complete, file] = [await written(folder, text), join(folder, name)];
  try {
    await link(complete, file).catch((error) => {
      if (error.code === "EEXIST") throw error;
      // Perhaps there are no hard links here (EPERM, ENOSYS, ENOTSUP, EOPNOTSUPP).
      return writeNew(file, text);
    });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  } finally {
    await rm(complete);
  }
}
