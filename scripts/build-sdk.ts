/*
 * `npm run sdk [-- FOLDER]`: builds the package of the TypeScript client and its command line in .halcyon/sdk or
 * another folder, and packs it there as a tarball for `npm install`.
 */
import { execFileSync } from "node:child_process";
import path from "node:path";
import { buildSdk } from "./sdk/build";
import { ROOT } from "./stack/config";

const folder = path.resolve(process.argv[2] ?? path.join(ROOT, ".halcyon", "sdk"));
await buildSdk(folder);
const packed = execFileSync("npm", ["pack", "--silent", "--ignore-scripts"], { cwd: folder, encoding: "utf8" }).trim();
const tarball = path.join(folder, packed);
console.log(`Install it with: npm install ${tarball}`);
