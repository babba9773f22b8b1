import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readdirSync, symlinkSync } from "node:fs";
import path from "node:path";
import { beforeAll, expect, test } from "vitest";
import { placeFromEnvironment, World } from "./world";

const ROOT = path.resolve(import.meta.dirname, "../..");
const place = placeFromEnvironment();
const folder = path.join(place.folder, "python");
/** What the package's own tests read besides the package. */
const READ = [
  "docs/openapi.json",
  "docs/webhook-vectors.json",
  "package.json",
  "sdk/client-gaps.json",
  "sdk/python/README.md",
  "sdk/python/pyproject.toml",
  "sdk/python/tests",
];

/** Runs a program that must succeed. Returns what it prints. */
const runs = (program: string, args: string[], cwd = folder) =>
  execFileSync(program, args, { cwd, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });

/** A Python that has the client installed from its wheel, and nothing of a clone: a program and its environment. */
let installed: { program: string; env: Record<string, string | undefined>; packages: string };

/** Installs a wheel in an environment of its own; where Python comes without `venv`, in a folder. */
function install(wheel: string): typeof installed {
  const venv = path.join(folder, "venv");
  const from = ["-m", "pip", "install", "--quiet", "--no-deps", "--no-index"];
  if (spawnSync("python3", ["-m", "venv", venv]).status === 0) {
    const program = path.join(venv, "bin", "python");
    runs(program, [...from, wheel]);
    const packages = runs(program, ["-c", "import sysconfig; print(sysconfig.get_paths()['purelib'])"]).trim();
    return { program, env: {}, packages };
  }
  const packages = path.join(folder, "packages");
  runs("python3", [...from, "--target", packages, wheel]);
  return { program: "python3", env: { PYTHONPATH: packages }, packages };
}

beforeAll(() => {
  mkdirSync(folder);
  // A copy, because pip builds in the folder that it is given.
  for (const file of runs("git", ["ls-files", "sdk/python"], ROOT).trim().split("\n")) {
    cpSync(path.join(ROOT, file), path.join(folder, "source", path.relative("sdk/python", file)));
  }
  runs("python3", ["-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", "wheels", "./source"]);
  const [wheel = ""] = readdirSync(path.join(folder, "wheels"));
  installed = install(path.join("wheels", wheel));
});

test("the wheel holds the client, its types, and nothing else", () => {
  const sources = runs("git", ["ls-files", "sdk/python/halcyon"], ROOT)
    .trim()
    .split("\n")
    .map((file) => path.basename(file));
  const there = readdirSync(path.join(installed.packages, "halcyon")).filter((file) => file !== "__pycache__");
  expect(there.sort()).toEqual(sources.sort());
  expect(existsSync(path.join(installed.packages, "tests"))).toBe(false);
});

test("the Python client's own tests pass with the client as installed, outside of any clone", () => {
  const outside = path.join(folder, "outside");
  for (const file of READ) cpSync(path.join(ROOT, file), path.join(outside, file), { recursive: true });
  const home = path.join(outside, "sdk/python");
  symlinkSync(path.join(installed.packages, "halcyon"), path.join(home, "halcyon"));
  const { status, stderr } = spawnSync(installed.program, ["-m", "unittest", "discover", "-s", ".", "-t", "."], {
    cwd: home,
    env: { PATH: process.env.PATH, ...installed.env, PYTHONDONTWRITEBYTECODE: "1", NODE_ENV: "test" },
    encoding: "utf8",
  });
  expect(status, stderr).toBe(0);
  expect(Number(/^Ran (\d+) tests/m.exec(stderr)?.[1])).toBeGreaterThan(30);
});

test("every method of the installed Python client works against the service, in each of two processes", async () => {
  const world = await World.create(place);
  const { alice, bob, bot } = world;
  const program = path.join(folder, "every_method.py");
  cpSync(path.join(import.meta.dirname, "every_method.py"), program);
  for (const _ of ["first", "second"]) {
    const [request, other] = [
      await bob.client.paymentRequests.create({ amount: "0.5" }),
      await bob.client.paymentRequests.create({ amount: "0.5" }),
    ];
    const { binding } = await alice.client.paymentRequests.open(request.link);
    const { status, out, err } = await world.run(installed.program, [program], {
      ...installed.env,
      HALCYON_URL: place.url,
      HALCYON_API_KEY: alice.apiKey,
      HALCYON_PAYEE_KEY: bob.apiKey,
      HALCYON_BOT_KEY: bot.apiKey,
      HALCYON_TO: bob.handle,
      HALCYON_BINDING: binding,
      HALCYON_REQUEST: request.payment_request_id,
      HALCYON_OTHER_REQUEST: other.payment_request_id,
    });
    expect(status, out + err).toBe(0);
    expect(out.trim()).toBe(`${path.join(installed.packages, "halcyon")} 3`);
  }
});
