import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, expect, it } from "vitest";
import { type SilentProxy, startSilentProxy } from "@/test/services/silent-proxy";
import { nodeProbe, silence } from "./silence";

let server: Server;
let proxy: SilentProxy;

beforeEach(async () => {
  server = createServer((request, response) => request.resume().on("end", () => response.end("{}")));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  proxy = await startSilentProxy(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
});
afterEach(async () => {
  await proxy.stop();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

it.each([
  { later: true, end: "resumes" },
  { later: true, end: "cut" },
  { later: false, end: "resumes" },
  { later: false, end: "cut" },
] as const)("connections are silent, and then forward what was sent or are closed: $later, $end", async (how) => {
  await silence(proxy, nodeProbe, { ...how, seconds: 0.1 });
  const probe = nodeProbe(proxy.url);
  await probe.ask();
  probe.end();
});

it("a silence in which someone is responded to is an error", async () => {
  const leaky = { ...proxy, silence: () => {} };
  await expect(silence(leaky, nodeProbe, { later: true, end: "cut", seconds: 0.1 })).rejects.toThrow(
    "a silent connection responded",
  );
  const silentOnlyBefore = { ...proxy, silence: () => proxy.silence(false) };
  await expect(silence(silentOnlyBefore, nodeProbe, { later: true, end: "cut", seconds: 0.1 })).rejects.toThrow(
    "a later connection responded",
  );
  const uncut = { ...proxy, cut: () => proxy.resume() };
  await expect(silence(uncut, nodeProbe, { later: true, end: "cut", seconds: 0.1 })).rejects.toThrow(
    "a connection responded once its silence was cut",
  );
});
