/*
 * `npm run sdk`: makes the package of the TypeScript client in .halcyon/sdk, ready for `npm pack` or `npm publish`.
 */
import path from "node:path";
import { buildSdk } from "./sdk/build";
import { ROOT } from "./stack/config";

const folder = path.join(ROOT, ".halcyon", "sdk");
const { files } = await buildSdk(folder);
console.log(`.halcyon/sdk: ${files.length} files. Publish with: npm publish .halcyon/sdk`);
