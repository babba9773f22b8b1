import { CHAIN_ID } from "@/lib/base/network";
import { serve } from "./serve";

const LEDGER = "0x52908400098527886E0F7030069857D2E4169EE7";
const WORD = `0x${"00".repeat(32)}`;

/** Starts a service that signs anyone in and describes a ledger, and does nothing else. Returns its address. */
export async function describingService(rpcUrl: string): Promise<string> {
  const network = {
    network: "test",
    chain_id: CHAIN_ID.test,
    ledger: LEDGER,
    ledger_block: 1,
    domain_salt: WORD,
    assets: [{ symbol: "USDG", address: LEDGER, decimals: 6, unit: 1 }],
    local: true,
    rpc_url: rpcUrl,
    finality: "latest",
  };
  const responses: Record<string, unknown> = {
    "/api/network": network,
    "/api/siwe/nonce": { nonce: "n0nce" },
    "/api/auth/csrf": { csrfToken: "t0ken" },
    "/api/auth/callback/siwe": { url: "/" },
  };
  return serve((request, response) => {
    const path = new URL(request.url ?? "", "http://x").pathname;
    const cookie = path.endsWith("siwe") ? { "set-cookie": "next-auth.session-token=s; Path=/" } : {};
    const body = responses[path] ?? {
      enrolled: "enrolled",
      encrypted_account_key: "0x00",
      handle: "@alice",
      agents: [],
    };
    response.writeHead(200, { "content-type": "application/json", ...cookie }).end(JSON.stringify(body));
  });
}
