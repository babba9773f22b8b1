import { execFile } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readdirSync, symlinkSync } from "node:fs";
import path from "node:path";
import { promisify } from "node:util";
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

/** Runs a program that must succeed. Returns what it prints. Not at once: Vitest gives up a file that is silent. */
async function runs(program: string, args: string[], options: { cwd?: string; env?: NodeJS.ProcessEnv } = {}) {
  const { stdout, stderr } = await promisify(execFile)(program, args, { cwd: folder, ...options });
  return { stdout: stdout.trim(), stderr };
}

/** A Python that has the client installed from its wheel, and nothing of a clone: a program and its environment. */
let installed: { program: string; env: Record<string, string | undefined>; packages: string };

/** Installs a wheel in an environment of its own; where Python comes without `venv`, in a folder. */
async function install(wheel: string): Promise<typeof installed> {
  const venv = path.join(folder, "venv");
  const from = ["-m", "pip", "install", "--quiet", "--no-deps", "--no-index"];
  const hasVenv = await runs("python3", ["-m", "venv", venv]).then(
    () => true,
    () => false,
  );
  if (hasVenv) {
    const program = path.join(venv, "bin", "python");
    await runs(program, [...from, wheel]);
    const { stdout } = await runs(program, ["-c", "import sysconfig; print(sysconfig.get_paths()['purelib'])"]);
    return { program, env: {}, packages: stdout };
  }
  const packages = path.join(folder, "packages");
  await runs("python3", [...from, "--target", packages, wheel]);
  return { program: "python3", env: { PYTHONPATH: packages }, packages };
}

/** The files of the repository below a folder. */
const filesOf = async (below: string) => (await runs("git", ["ls-files", below], { cwd: ROOT })).stdout.split("\n");

beforeAll(async () => {
  mkdirSync(folder);
  // A copy, because pip builds in the folder that it is given.
  for (const file of await filesOf("sdk/python")) {
    cpSync(path.join(ROOT, file), path.join(folder, "source", path.relative("sdk/python", file)));
  }
  await runs("python3", ["-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", "wheels", "./source"]);
  const [wheel = ""] = readdirSync(path.join(folder, "wheels"));
  installed = await install(path.join("wheels", wheel));
});

test("the wheel holds the client, its types, and nothing else", async () => {
  const sources = (await filesOf("sdk/python/halcyon")).map((file) => path.basename(file));
  const there = readdirSync(path.join(installed.packages, "halcyon")).filter((file) => file !== "__pycache__");
  expect(there.sort()).toEqual(sources.sort());
  expect(existsSync(path.join(installed.packages, "tests"))).toBe(false);
});

test("the Python client's own tests pass with the client as installed, outside of any clone", async () => {
  const outside = path.join(folder, "outside");
  for (const file of READ) cpSync(path.join(ROOT, file), path.join(outside, file), { recursive: true });
  const home = path.join(outside, "sdk/python");
  symlinkSync(path.join(installed.packages, "halcyon"), path.join(home, "halcyon"));
  const { stderr } = await runs(installed.program, ["-m", "unittest", "discover", "-s", ".", "-t", "."], {
    cwd: home,
    env: { PATH: process.env.PATH, ...installed.env, PYTHONDONTWRITEBYTECODE: "1", NODE_ENV: "test" },
  });
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
