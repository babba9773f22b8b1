import { chmod, mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { halcyon } from "@/test/sdk/command-line";
import { settingsFrom } from "./environment";
import { EXIT } from "./exit-status";

const KEY = { alice: `0x${"a1".repeat(32)}`, bob: `0x${"b2".repeat(32)}`, env: `0x${"c3".repeat(32)}` };
const API_KEY = { alice: "hc_test_alicesecret", env: "hc_test_environment" };

let folder = "";
const path = (name: string) => join(folder, name);
const configured = (variables: Record<string, string> = {}) => ({ HALCYON_CONFIG_DIR: path("config"), ...variables });

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "halcyon-profiles-"));
  vi.stubEnv("HALCYON_CONFIG_DIR", path("config"));
  for (const name of ["alice", "bob"] as const) await writeFile(path(`${name}.key`), KEY[name], { mode: 0o600 });
  await writeFile(path("alice.apikey"), `${API_KEY.alice}\n`);
  await halcyon(
    "profiles",
    "add",
    "alice",
    "--wallet-key-file",
    path("alice.key"),
    "--api-key-file",
    path("alice.apikey"),
  );
  await halcyon(
    "profiles",
    "add",
    "bob",
    "--wallet-key-file",
    path("bob.key"),
    "--network",
    "live",
    "--url",
    "http://bob.test",
  );
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await rm(folder, { recursive: true });
});

const file = () => path("config/profiles.json");
const listed = async () => JSON.parse((await halcyon("profiles", "list", "--json")).out).profiles;

describe("profiles", () => {
  it("lie in a file that only its owner can read", async () => {
    expect((await stat(file())).mode & 0o777).toBe(0o600);
    expect((await stat(path("config"))).mode & 0o777).toBe(0o700);
  });

  it.each([0o640, 0o604, 0o644])("in a file that others can read (%o) are refused by every command", async (mode) => {
    await chmod(file(), mode);
    for (const args of [
      ["profiles", "list"],
      ["profiles", "use", "bob"],
      ["transfers"],
      ["send", "--to", "@x", "--amount", "1"],
    ]) {
      const { status, out, err } = await halcyon(...args);
      expect({ status, out }, args.join(" ")).toEqual({ status: EXIT.usage, out: "" });
      expect(err).toContain(`chmod 600 ${file()}`);
    }
  });

  it("never show a key, whatever is asked", async () => {
    for (const args of [
      ["list"],
      ["list", "--names"],
      ["use", "bob"],
      ["use", "carol"],
      ["add", "alice", "--wallet-key-file", path("bob.key")],
      ["remove", "bob"],
    ]) {
      for (const json of [[], ["--json"]]) {
        const { out, err } = await halcyon("profiles", ...args, ...json);
        expect(out + err).not.toMatch(/alicesecret|a1a1|b2b2/);
      }
    }
  });

  it("keep a wallet as the path of its file, and no key of it", async () => {
    expect(await readFile(file(), "utf8")).not.toMatch(/a1a1|b2b2/);
    expect(await listed()).toEqual([
      { name: "alice", current: true, wallet_key_file: path("alice.key"), has_api_key: true },
      {
        name: "bob",
        current: false,
        wallet_key_file: path("bob.key"),
        network: "live",
        url: "http://bob.test",
        has_api_key: false,
      },
    ]);
  });

  it("are used, forgotten, and refused under a name that is taken, odd or unknown", async () => {
    await halcyon("profiles", "use", "bob");
    expect((await listed()).map(({ name, current }: { name: string; current: boolean }) => [name, current])).toEqual([
      ["alice", false],
      ["bob", true],
    ]);
    await halcyon("profiles", "remove", "bob");
    expect((await listed()).map(({ name, current }: { name: string; current: boolean }) => [name, current])).toEqual([
      ["alice", false],
    ]);
    const add = (name: string) => halcyon("profiles", "add", name, "--wallet-key-file", path("bob.key"));
    expect((await add("alice")).err).toContain("already");
    expect((await add("../x")).err).toContain("1 to 32");
    expect((await add("__proto__")).status).toBe(EXIT.usage);
    expect((await halcyon("profiles", "use", "constructor")).err).toContain("not_found");
    expect((await halcyon("transfers", "--profile", "bob")).err).toContain('There is no profile "bob", only alice.');
    expect((await halcyon("profiles", "add", "empty")).err).toContain("--api-key-file");
  });
});

describe("what a command works with", () => {
  it("is the profile in use where nothing else is said", async () => {
    expect(await settingsFrom({}, configured())).toMatchObject({
      url: "http://localhost:3000",
      walletKey: KEY.alice,
      apiKey: API_KEY.alice,
    });
    expect(await settingsFrom({}, configured({ HALCYON_PROFILE: "bob" }))).toEqual({
      url: "http://bob.test",
      network: "live",
      walletKey: KEY.bob,
      apiKey: undefined,
      rpcUrl: undefined,
      configDir: path("config"),
    });
  });

  it("is a variable before that profile, and an option before a variable", async () => {
    const variables = configured({
      HALCYON_PROFILE: "bob",
      HALCYON_URL: "http://env.test",
      HALCYON_API_KEY: API_KEY.env,
      HALCYON_WALLET_KEY: KEY.env,
    });
    expect(await settingsFrom({}, variables)).toMatchObject({
      url: "http://env.test",
      walletKey: KEY.env,
      apiKey: API_KEY.env,
    });
    const options = { url: "http://option.test", network: "test", walletKeyFile: path("alice.key") } as const;
    expect(await settingsFrom(options, variables)).toMatchObject({
      url: "http://option.test",
      network: "test",
      walletKey: KEY.alice,
    });
  });

  it("is one account with --profile: no key of the environment pays in its place", async () => {
    const variables = configured({
      HALCYON_URL: "http://env.test",
      HALCYON_API_KEY: API_KEY.env,
      HALCYON_WALLET_KEY: KEY.env,
      HALCYON_PROFILE: "alice",
    });
    expect(await settingsFrom({ profile: "bob" }, variables)).toMatchObject({
      url: "http://bob.test",
      walletKey: KEY.bob,
      apiKey: undefined,
    });
    expect(await settingsFrom({ profile: "alice" }, variables)).toMatchObject({
      url: "http://env.test",
      apiKey: API_KEY.alice,
    });
  });

  it("is this machine's wallet only where no profile is in force", async () => {
    await halcyon("wallet", "new");
    await writeFile(path("bot.apikey"), "hc_test_bot");
    await halcyon("profiles", "add", "bot", "--api-key-file", path("bot.apikey"));
    expect((await settingsFrom({ profile: "bot" }, configured())).walletKey).toBeUndefined();
    for (const name of ["alice", "bob", "bot"]) await halcyon("profiles", "remove", name);
    expect((await settingsFrom({}, configured())).walletKey).toMatch(/^0x[0-9a-f]{64}$/);
  });
});
