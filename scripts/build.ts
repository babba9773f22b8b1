import path from "node:path";
import { ensureBuild } from "./stack/build";
import { ROOT, StackError } from "./stack/config";
import { writeFileDurably } from "./stack/files";
import { program } from "./stack/program";
import { type Built, PROGRAMS } from "./stack/programs";

// `npm run build`: builds the site and each program, for `npm run web`, `worker` and `migrate`. It reads none of the
// service's variables. Processes of an earlier build keep running on that build.
try {
  const dist = await ensureBuild((line) => console.log(line));
  const programs = await Promise.all(
    Object.entries(PROGRAMS).map(async ([name, script]) => [name, path.relative(ROOT, await program(script))]),
  );
  const built: Built = { dist, programs: Object.fromEntries(programs) };
  writeFileDurably(path.join(ROOT, ".halcyon", "build", "current.json"), `${JSON.stringify(built, null, 2)}\n`);
  console.log(`built ${dist}`);
} catch (error) {
  console.error(error instanceof StackError ? error.message : error);
  process.exitCode = 1;
}
