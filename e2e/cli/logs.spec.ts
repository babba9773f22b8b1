import { spawn } from "node:child_process";
import { BINARY } from "../binary";
import { expect, test } from "./fixtures";

test("logs tail shows each request with its outcome, until Ctrl-C, and nothing of what it contained", async ({
  payer,
  person,
  baseURL,
}) => {
  const [alice, bob] = [await payer("alice", "10"), await person("bob")];
  const env = { ...process.env, HALCYON_API_KEY: alice.apiKey, HALCYON_WALLET_KEY: "", HALCYON_URL: baseURL ?? "" };
  const args = [BINARY, "logs", "tail", "--method", "POST", "--lines", "0", "--json"];
  const tail = spawn(process.execPath, args, { env, stdio: ["ignore", "pipe", "inherit"] });
  let said = "";
  tail.stdout.on("data", (chunk) => {
    said += chunk;
  });
  const ended = new Promise((resolve) => tail.once("close", resolve));
  const outcomes = () =>
    said
      .split("\n")
      .slice(0, -1)
      .map((line) => (JSON.parse(line) as { request?: { route: string; status: number } }).request)
      .map((request) => `${request?.route} ${request?.status}`);
  try {
    // The command begins with what comes after its first look, so the same request is made until it is seen.
    await expect(async () => {
      await alice.run(["send", "--to", `@${bob.handle}`, "--amount", "900.654321"]);
      expect(outcomes()).toContain("/v1/transfers 402");
    }).toPass();
    for (const canary of [alice.apiKey, "900.654321", bob.handle]) expect(said.includes(String(canary))).toBe(false);
    tail.kill("SIGINT");
    expect(await ended).toBe(0);
  } finally {
    tail.kill("SIGKILL");
  }
});
