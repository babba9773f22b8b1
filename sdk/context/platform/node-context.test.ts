import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, test } from "vitest";
import root from "@/package.json";
import { HalcyonClient } from "../../halcyon-client";
import { nodeContext } from "./node-context";

test("every request names version and runtime, and onResponse gets its id, of the client or of a call", async () => {
  const agents: (string | null)[] = [];
  const respond: typeof fetch = async (input, init) => {
    const request = new Request(input instanceof Request ? input : String(input), init);
    agents.push(request.headers.get("user-agent"));
    return Response.json({ transfer_id: "tr_1" }, { headers: { "x-request-id": `req_${agents.length}` } });
  };
  const configDir = mkdtempSync(path.join(tmpdir(), "halcyon-context-"));
  const seen: unknown[] = [];
  const options = {
    apiKey: "hc_test_x",
    fetch: respond,
    configDir,
    onResponse: (response: unknown) => seen.push(response),
  };
  const client = new HalcyonClient(nodeContext(options, () => Promise.reject(new Error())));
  await client.transfers.get("tr_1");
  await client.transfers.get("tr_1", { timeout: 1_000, onResponse: ({ requestId }) => seen.push(requestId) });
  expect(agents).toEqual(Array(2).fill(`halcyon-sdk/${root.version} node/${process.versions.node}`));
  expect(seen).toEqual([{ method: "GET", path: "/v1/transfers/tr_1", status: 200, requestId: "req_1" }, "req_2"]);
  rmSync(configDir, { recursive: true });
});
