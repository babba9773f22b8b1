import { once } from "node:events";
import { type IncomingMessage, request as send } from "node:http";
import type { AddressInfo } from "node:net";
import { env } from "@/lib/base/env";
import { Halcyon } from "@/sdk/client";
import { listeningFetch } from "@/sdk/proxy/build-transfer";
import { serveProxy } from "@/sdk/proxy/serve-proxy";
import { createBlindKey } from "@/test/accounts/api-key";
import { MemoryPins } from "@/test/services/in-process-service";
import { routesOverHttp } from "@/test/services/over-http";
import type { Attack } from "../findings";
import { DOLLAR, enrolled, funded } from "../site";

/** Anyone who can open a connection to a proxy: another user of its machine, and by a browser there any web page. */
export const proxyNeighbor: Attack = {
  who: "Another user of a machine where a proxy runs, or a web page that is open there",
  holds: "no key; at last the API key, as whoever reads the program's environment",
  async attack(findings) {
    const [owner, payee, other] = await Promise.all([funded(50n), enrolled(), funded(5n)]);
    const [keys, others] = [await createBlindKey(owner), await createBlindKey(other)];
    const before = (await owner.decryptAvailable()).limit;
    const service = routesOverHttp().listen(0, "127.0.0.1");
    await once(service, "listening");
    const url = `http://127.0.0.1:${(service.address() as AddressInfo).port}`;
    const settings = { url, rpcUrl: env().chains.test.rpcUrl, fetch: listeningFetch, maxRetries: 0 };
    const clientOf = (pair: { apiKey: string; homeKey: string; network: "test" | "live" }) =>
      new Halcyon({ ...settings, ...pair, pins: new MemoryPins() });
    const proxy = await serveProxy({ service: url, homeKeys: [keys.homeKey], port: 0, clientOf }, () => {});
    const { host, port } = new URL(proxy.url);
    const texts: string[] = [];
    /** Asks for a payment of one, and returns the status, or the error's code. */
    const ask = async (headers: Record<string, string>, { method = "POST" } = {}) => {
      const body = JSON.stringify({ to: payee.address, amount: "1" });
      const all = { "content-type": "application/json", "idempotency-key": crypto.randomUUID(), ...headers };
      const asking = send(`${proxy.url}/v1/transfers`, { method, headers: all, agent: false });
      asking.end(body);
      const [response] = (await once(asking, "response")) as [IncomingMessage];
      const text = String(Buffer.concat(await response.toArray()));
      texts.push(JSON.stringify(response.headers), text);
      return (JSON.parse(text) as { error?: { code: string } }).error?.code ?? String(response.statusCode);
    };
    const key = { authorization: `Bearer ${keys.text}` };
    try {
      await findings.cannot("pay without an API key", ask({}), "unauthorized");
      const invented = { authorization: `Bearer ${keys.homeKey}` };
      await findings.cannot("pay with the home key in its place", ask(invented), "invalid_request");
      const strange = { authorization: `Bearer ${others.text}` };
      await findings.cannot("have another key's payment built", ask(strange), "key_forbidden");
      const rebound = { ...key, host: `evil.example:${port}` };
      await findings.cannot("call it from a page whose name resolves to this machine", ask(rebound), "key_forbidden");
      const page = { ...key, origin: "https://evil.example" };
      await findings.cannot("call it from a page of another origin", ask(page), "key_forbidden");
      await findings.cannot("get leave to do so", ask(page, { method: "OPTIONS" }), "key_forbidden");
      const local = { ...key, origin: `http://${host}` };
      await findings.cannot("call it from a page of this machine", ask(local), "key_forbidden");
      const image = { ...key, "sec-fetch-site": "cross-site", "sec-fetch-mode": "no-cors" };
      await findings.cannot("call it as a page that sends no origin", ask(image), "key_forbidden");
      const known = texts.filter((text) => text.includes(keys.homeKey) || text.includes("access-control"));
      await findings.cannot(
        "learn a home key, or leave for a page, from a response",
        Promise.resolve(known.join()),
        "",
      );
      await findings.can("pay with the API key", ask(key), "201");
      const paid = async () => String((before - (await owner.decryptAvailable()).limit) / DOLLAR);
      await findings.cannot("have paid more than that", paid(), "1");
    } finally {
      await proxy.close();
      service.close();
    }
  },
};
