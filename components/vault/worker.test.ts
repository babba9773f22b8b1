import { createContext, runInContext } from "node:vm";
import { expect, test } from "vitest";
import { repositoryRoot } from "@/lib/prover/artifact-files";
import { workerFiles } from "@/lib/prover/worker-source";
import type { FromVault } from "./protocol";

const scripts = workerFiles(repositoryRoot(), "components/vault/worker.ts");

test("the vault's scripts need nothing of Node, and name the prover and the later part of their release", async () => {
  const [first, later] = await scripts;
  const [prover] = await workerFiles(repositoryRoot(), "lib/prover/browser-worker.ts");
  for (const { source } of [first, later as typeof first]) {
    expect([...source.matchAll(/["']node:\w+/g)].map(String)).toEqual([]);
  }
  const named = first.source.matchAll(/"(\/(?:vault|prover)\/[0-9a-f]{32}[^"]*)"/g);
  expect([...new Set([...named].map(([, path]) => path))].sort()).toEqual([prover.path, later?.path]);
});

test("a method of the later part loads it into the first one, and says so where it can't be loaded", async () => {
  const [first, later] = await scripts;
  const asked: string[] = [];
  let online = false;
  const fetch = async (path: string | URL) => {
    asked.push(String(path));
    // Serves only the script; the service does not respond.
    if (!online || String(path) !== later?.path) throw new TypeError("Failed to fetch");
    return new Response(later.source);
  };
  const errors: Extract<FromVault, { kind: "error" }>[] = [];
  const ran: string[] = [];
  let heard = () => {};
  let hear = (_: { data: unknown }) => {};
  const channel = {
    postMessage: (message: FromVault) => {
      if (message.kind !== "error") return;
      errors.push(message);
      heard();
    },
    addEventListener: (_: string, listener: typeof hear) => {
      hear = listener;
    },
  };
  const scope: Record<string, unknown> = {
    ...{
      TextEncoder,
      TextDecoder,
      atob,
      btoa,
      URL,
      URLSearchParams,
      AbortController,
      AbortSignal,
      Response,
      crypto,
      fetch,
    },
    ...{
      setTimeout: setImmediate,
      clearTimeout: () => {},
      setInterval: () => 0,
      queueMicrotask,
      structuredClone,
      Headers,
      performance,
    },
    onconnect: null,
    location: { origin: "http://localhost" },
    navigator: {},
    BroadcastChannel: class {
      close() {}
    },
    addEventListener: (_: string, connect: (event: unknown) => void) => connect({ ports: [channel] }),
    importScripts: (path: string) => {
      ran.push(path);
      runInContext(later?.source ?? "", worker);
    },
  };
  const worker = createContext(scope);
  runInContext(first.source, worker);
  const address = `0x${"a1".repeat(20)}`;
  hear({ data: { kind: "start", restore: false, described: undefined, network: "test", address } });
  const run = (id: number) =>
    new Promise<void>((resolve) => {
      heard = resolve;
      hear({ data: { kind: "run", id, method: "recipient", input: { to: "@demo" } } });
    });
  await run(1);
  // It was tried more than once.
  expect(asked.filter((path) => path === later?.path).length).toBeGreaterThan(1);
  expect(errors.at(-1)).toMatchObject({ id: 1, error: { message: expect.stringMatching(/^A part of the program/) } });
  expect(ran).toEqual([]);
  online = true;
  await run(2);
  expect(ran).toEqual([later?.path]);
  expect(errors.at(-1)).toMatchObject({
    id: 2,
    error: { message: expect.not.stringMatching(/^A part of the program/) },
  });
});
