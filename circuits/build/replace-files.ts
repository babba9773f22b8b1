import { copyFile, link, rename, rm } from "node:fs/promises";

/**
 * Replaces files by others: all, or none when one of them can't be replaced. What needs disk space comes first, then
 * renames alone.
 *
 * @param files the new file, by the one it replaces
 */
export async function replaceFiles(files: ReadonlyMap<string, string>): Promise<void> {
  const [fresh, old] = [".new", ".old"].map((ending) => (file: string) => `${file}${ending}`) as [Rename, Rename];
  const replaced: string[] = [];
  try {
    for (const [file, from] of files) {
      await rm(old(file), { force: true });
      await copyFile(from, fresh(file));
      await link(file, old(file)).catch(unlessMissing);
    }
    for (const file of files.keys()) {
      await rename(fresh(file), file);
      replaced.push(file);
    }
  } catch (error) {
    for (const file of replaced) {
      await rename(old(file), file).catch(async (missing) => {
        unlessMissing(missing);
        await rm(file);
      });
    }
    throw error;
  } finally {
    for (const file of files.keys()) {
      for (const rest of [fresh(file), old(file)]) await rm(rest, { force: true });
    }
  }
}

type Rename = (file: string) => string;

function unlessMissing(error: NodeJS.ErrnoException): void {
  if (error.code !== "ENOENT") throw error;
}
