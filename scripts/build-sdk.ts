/*
 * `npm run sdk [-- FOLDER]`: makes the package of the TypeScript client in .halcyon/sdk or another folder, ready for
 * `npm pack` and `npm publish`.
 */
import path from "node:path";
import { buildSdk } from "./sdk/build";
import { ROOT } from "./stack/config";

const folder = path.resolve(process.argv[2] ?? path.join(ROOT, ".halcyon", "sdk"));
const { files } = await buildSdk(folder);
console.log(`${files.length} files in ${folder}. Publish with: npm publish ${folder}`);
