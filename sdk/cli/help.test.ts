import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { version } from "@/package.json";
import { everyCommand, examplesIn, halcyon, parses, wordsOf } from "@/test/sdk/command-line";
import { EXIT } from "./exit-status";

const paths = everyCommand().commands.map(([path]) => path);
const helpOf = async (path: string) => (await halcyon(...wordsOf(path), "--help")).out;

describe("help", () => {
  it.each(paths)("of `halcyon %s` says what it does, with examples that are that command's and parse", async (path) => {
    const help = await helpOf(path);
    expect(help).toMatch(/^Usage: halcyon/);
    expect(help).toContain("--json");
    const examples = examplesIn(help);
    expect(examples).not.toEqual([]);
    if (path !== "") expect(examples.filter((line) => line.startsWith(path))).not.toEqual([]);
    for (const line of examples) expect(await parses(wordsOf(line)), line).toBe(true);
  });

  it("and version go to standard output, and end well", async () => {
    expect(await halcyon("--version")).toEqual({ status: 0, out: `${version}\n`, err: "" });
    expect(await halcyon()).toEqual({ status: 0, out: await helpOf(""), err: "" });
  });

  it("is shown, with the version, by ./halcyon from any folder and through a link, also to a reader who leaves", () => {
    const folder = mkdtempSync(join(tmpdir(), "halcyon-launcher-"));
    try {
      symlinkSync(resolve("halcyon"), join(folder, "pay"));
      const run = (line: string) => spawnSync("sh", ["-c", line], { cwd: folder, encoding: "utf8" });
      expect(run("./pay --version")).toMatchObject({ status: 0, stdout: `${version}\n`, stderr: "" });
      expect(run("./pay --help | head -n 1")).toMatchObject({ stdout: expect.stringMatching(/^Usage: /), stderr: "" });
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it("takes the names that commands and options had before", async () => {
    const earlier = ["rotate-account-secret", "renew-payment-key"];
    for (const line of earlier) expect(await parses(wordsOf(line)), line).toBe(true);
    expect(await parses(wordsOf("stop-payment-key --rpc http://127.0.0.1:1 --ledger 0x1"))).toBe(true);
  });

  it("of a misspelt command names the right one", async () => {
    expect(await halcyon("sned")).toEqual({ status: EXIT.usage, out: "", err: expect.stringContaining("send") });
  });
});

/** Commands that call no service, or keep trying until it responds. */
const ALONE = /^(wallet|profiles|completion|recover|stop-payment-key|mcp|listen|logs tail|proxy)\b|^$/;

// Each waits between its tries, most of a second: several commands at once.
describe.concurrent("a service that is not there", () => {
  const folder = mkdtempSync(join(tmpdir(), "halcyon-cli-"));
  beforeAll(() => {
    vi.stubEnv("HALCYON_CONFIG_DIR", folder);
    vi.stubEnv("HALCYON_URL", "http://127.0.0.1:9");
    vi.stubEnv("HALCYON_API_KEY", `hc_test_${"0".repeat(49)}`);
    vi.stubEnv("HALCYON_WALLET_KEY", `0x${"11".repeat(32)}`);
    writeFileSync(join(folder, "bot.json"), '{"daily_limit_usdg":1}');
    writeFileSync(join(folder, "wages.csv"), "to,amount\n@bob,25\n");
    writeFileSync(join(folder, "acme.key"), `0x${"22".repeat(32)}`, { mode: 0o600 });
  });
  afterAll(() => {
    vi.unstubAllEnvs();
    rmSync(folder, { recursive: true });
  });

  it.each(
    everyCommand()
      .commands.filter(([path, { commands }]) => commands.length === 0 && !ALONE.test(path))
      .map(([path]) => path),
  )("is said so by `halcyon %s`, with what to do", async (path) => {
    const isSaid = async (line: string) => {
      const words = wordsOf(line).map((word) =>
        /^(bot\.json|acme\.key|wages\.csv)$/.test(word) ? join(folder, word) : word,
      );
      const { status, out, err } = await halcyon(...words.filter((word) => word !== "--json"), "--json");
      expect({ status, out, line }).toEqual({ status: EXIT.unavailable, out: "", line });
      const { error } = JSON.parse(err) as { error: { code: string; message: string } };
      expect(error, line).toEqual({ code: "unavailable", message: expect.stringMatching(/127\.0\.0\.1:9.*npm start/) });
    };
    await Promise.all(examplesIn(await helpOf(path)).map(isSaid));
  });
});
