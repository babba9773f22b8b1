import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync } from "node:fs";
import { expect, test } from "vitest";
import { removeFolder } from "./files";

test("a folder is removed while another process still writes files there", async () => {
  for (let round = 0; round < 10; round++) {
    const folder = mkdtempSync("/tmp/halcyon-files-");
    const writer = spawn("sh", ["-c", `i=0; echo; while : > ${folder}/$i; do i=$((i+1)); done 2>/dev/null`]);
    await once(writer.stdout, "data");
    removeFolder(folder);
    expect(existsSync(folder)).toBe(false);
    writer.kill();
  }
});
