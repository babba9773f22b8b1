import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import { ROOT } from "./config";
import { NODE_FLAGS } from "./node-flags";

const textOf = (file: string) => readFileSync(path.join(ROOT, file), "utf8");

it("Node's flags are those of `npm start` in the image and in the commands that start one process, too", () => {
  const { scripts } = JSON.parse(textOf("package.json")) as { scripts: Record<string, string> };
  for (const name of ["web", "worker"]) {
    expect(scripts[name]).toBe(`node ${NODE_FLAGS.join(" ")} scripts/serve.mjs ${name}`);
  }
  const entry = /^ENTRYPOINT (.*)$/m.exec(textOf("Dockerfile"))?.[1] ?? "";
  expect(JSON.parse(entry)).toEqual(["node", ...NODE_FLAGS, "scripts/serve.mjs"]);
});
