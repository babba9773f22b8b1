import { readdirSync } from "node:fs";
import path from "node:path";

/** Reports whether a path is below a folder of files and none of them. */
type IsMissing = (at: string) => boolean;

/**
 * Lists the files that Next.js serves from folders: those of its build, and those in folders of `public`. Next.js looks
 * for any other through its router, and renders a page that says so.
 *
 * @param dist of the build
 */
export function missingFiles(dist: string, publicFolder: string): IsMissing {
  const shown = readdirSync(publicFolder, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  const folders = [
    { address: "/_next/static/", folder: path.join(dist, "static") },
    ...shown.map(({ name }) => ({ address: `/${name}/`, folder: path.join(publicFolder, name) })),
  ];
  const files = new Set(
    folders.flatMap(({ address, folder }) =>
      readdirSync(folder, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map(({ parentPath, name }) => {
          const below = path.relative(folder, path.join(parentPath, name));
          return address + below.split(path.sep).join("/");
        }),
    ),
  );
  return (at) => folders.some(({ address }) => at.startsWith(address)) && !files.has(decodeURIComponent(at));
}
