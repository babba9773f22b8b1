import { execFile } from "node:child_process";
import { createHmac } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { curlOf } from "./curl-of";

test("pasted into a shell, the command sends the same bytes, signed with the secret", async () => {
  const got: { body: string; headers: NodeJS.Dict<string | string[]>; url?: string }[] = [];
  const server = createServer((request, response) => {
    let body = "";
    request.on("data", (chunk: Buffer) => {
      body += chunk.toString();
    });
    request.on("end", () => {
      got.push({ body, headers: request.headers, url: request.url });
      response.end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const body = JSON.stringify({ event: "transfer.confirmed", to: 'it\'s $HOME `id` \\ "x"' });
  const command = curlOf({
    method: "POST",
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook?a=1&b='2'`,
    headers: { "content-type": "application/json", "webhook-id": "evt_1", "webhook-signature": null },
    body,
  });
  const env = { ...process.env, WEBHOOK_SECRET: "whsec_c2VjcmV0" };
  await promisify(execFile)("sh", ["-c", command], { env });
  server.close();
  expect(got).toHaveLength(1);
  expect(got[0]).toMatchObject({ body, url: "/hook?a=1&b='2'" });
  expect(got[0]?.headers).toMatchObject({
    "webhook-id": "evt_1",
    "content-type": "application/json",
    "x-service-signature": createHmac("sha256", env.WEBHOOK_SECRET).update(body).digest("hex"),
  });
  expect(got[0]?.headers).not.toHaveProperty("webhook-signature");
});
