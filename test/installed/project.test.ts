import { exec } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { promisify } from "node:util";
import { transformSync } from "esbuild";
import { beforeAll, expect, test } from "vitest";
import { shopOf } from "@/e2e/cli/sellers";
import { placeFromEnvironment, World } from "./world";

const place = placeFromEnvironment();
const packed = path.join(place.folder, "packed");
const project = path.join(place.folder, "project");
const guideOf = (name: string) => readFileSync(`docs/guides/${name}.md`, "utf8");
const samplesOf = (guide: string) => [...guide.matchAll(/```ts[^\n]*\n([^`]+)```/g)].map(([, sample = ""]) => sample);

/** Runs a command of the guides. Not at once: Vitest gives up a file that does not respond for a minute. */
async function inProject(command: string): Promise<void> {
  // A registry may take minutes to say of each package that it has not changed since the last run.
  await promisify(exec)(command, { cwd: project, env: { ...process.env, npm_config_prefer_offline: "true" } });
}

/** Writes a sample of the guides as a program of the project. */
function program(name: string, sample: string): string {
  const file = path.join(project, name);
  const text = sample
    .replaceAll("http://localhost:3000", place.url)
    .replaceAll("new Halcyon({", `$& url: "${place.url}",`);
  writeFileSync(file, transformSync(text, { loader: "ts" }).code);
  return file;
}

let world: World;
beforeAll(async () => {
  mkdirSync(project);
  world = await World.create(place);
});

test("the quick start's commands make a project in which its TypeScript pays", async () => {
  const guide = guideOf("quick-start");
  const [, setUp = ""] = /^cd \/path\/to\/project && (npm init .*)$/m.exec(guide) ?? [];
  const [install = "", tarball = ""] = /^npm install (\S+\.tgz)$/m.exec(guide) ?? [];
  const [sample = ""] = samplesOf(guide);
  const [file = ""] = readdirSync(packed).filter((name) => name.endsWith(".tgz"));
  expect(path.basename(tarball)).toBe(file);
  await inProject(setUp);
  await inProject(install.replace(tarball, path.join(packed, file)));
  const blind = await world.alice.client.keys.create({ label: "app", blind: true });
  const keys = { BLIND_API_KEY: blind.api_key, BLIND_HOME_KEY: blind.home_key ?? "" };
  const pay = program("pay.js", sample.replace('url: "http://localhost:3000",', ""));
  for (const _ of ["first", "second"]) {
    const { status, out, err } = await world.run(process.execPath, [pay], keys);
    expect({ status, err }).toEqual({ status: 0, err: "" });
    expect(out).toMatch(/transfer_id: 'tr_\w+',\n {2}status: 'confirmed'/);
  }
});

test("what the guide installs beside the package pays a seller with it", async () => {
  const guide = guideOf("pay-over-http");
  const installs = [...guide.matchAll(/```bash norun: installs into a project of your own\n([^`]+)```/g)];
  for (const [, command = ""] of installs) await inProject(command);
  const axios = /`(axios\.create\(.*\))`/.exec(guide)?.[1];
  // The guide names no versions of these.
  await inProject("npm install axios @x402/axios");
  const buyer = samplesOf(guide).filter((sample) => sample.includes("x402.buyer()"));
  const byFetch = buyer.find((sample) => sample.includes("wrapFetchWithPayment")) ?? "";
  const byMpp = buyer.find((sample) => sample.includes("mppx")) ?? "";
  const byAxios = byFetch
    .replace(
      'import { wrapFetchWithPayment } from "@x402/fetch";',
      'import { wrapAxiosWithPayment } from "@x402/axios";\nimport axios from "axios";',
    )
    .replace("wrapFetchWithPayment(buyer.fetch,", `wrapAxiosWithPayment(${axios},`)
    .replace("await paying(", "await paying.get(");
  const { bob, bot } = world;
  const shop = await shopOf({ address: bob.address, client: async () => bob.client });
  try {
    const at = (sample: string, page: string) =>
      sample.replace("https://api.example.com/report", `${shop.url}/${page}`);
    const printing = (sample: string, what: string) => `${sample}\nconsole.log(response.status, ${what});`;
    const programs: [string, string, string][] = [
      ["fetch.js", printing(at(byFetch, "report?1"), "await response.text()"), "200 the report\n"],
      ["axios.js", printing(at(byAxios, "report?2"), "response.data"), "200 the report\n"],
      // The seller sells by x402 alone: a free page shows that the client starts.
      ["mppx.js", printing(at(byMpp, "free"), "await response.text()"), "200 for nothing\n"],
    ];
    for (const [name, sample, expected] of programs) {
      const file = program(name, sample);
      const { status, out, err } = await world.run(process.execPath, [file], { HALCYON_API_KEY: bot.apiKey });
      expect({ status, out }, `${name}: ${err}`).toEqual({ status: 0, out: expected });
    }
    const received = (await bob.client.transfers.listDecrypted({ direction: "received" })).transfers;
    expect(received.map(({ amount }) => amount)).toEqual(["0.05", "0.05"]);
  } finally {
    await shop.close();
  }
});
