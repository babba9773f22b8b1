import { chmodSync, mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import postgres from "postgres";
import { afterAll, beforeAll, expect, test } from "vitest";
import { freePort } from "@/test/services/free-port";
import { removeFolder } from "./files";
import { LocalPostgres } from "./postgres";

let data: string;
let server: LocalPostgres;
const said: string[] = [];

beforeAll(async () => {
  data = mkdtempSync(path.join(tmpdir(), "halcyon-postgres-"));
  // The user that PostgreSQL runs as must be able to pass through the folder.
  chmodSync(data, 0o755);
  const passwords = { password: "of-the-owner", appPassword: "of-the-app" };
  const settings = ["fsync=off", "shared_buffers=16MB"];
  server = new LocalPostgres({ data, port: await freePort(), ...passwords, settings, say: (line) => said.push(line) });
  await server.start();
});
afterAll(async () => {
  await server?.stop();
  removeFolder(data);
});

const postmaster = () => Number(readFileSync(path.join(data, "postgres", "postmaster.pid"), "utf8").split("\n")[0]);

test("a SIGTERM to PostgreSQL alone loses nothing that was committed, and new connections are taken again", async () => {
  const client = () => postgres(server.ownerUrl, { max: 1, onnotice: () => {}, connect_timeout: 60 });
  // Like web and worker, it never closes its connection by itself.
  const staying = client();
  await staying`create table kept (value int)`;
  await staying`insert into kept values (7)`;
  const before = postmaster();
  process.kill(before, "SIGTERM");
  await expect.poll(() => said).toContain("PostgreSQL is back");
  const newcomer = client();
  expect([...(await newcomer`select value from kept`)]).toEqual([{ value: 7 }]);
  await newcomer.end({ timeout: 1 });
  expect(postmaster()).not.toBe(before);
  expect([...(await staying`select value from kept`)]).toEqual([{ value: 7 }]);
  await staying.end({ timeout: 1 });
});
