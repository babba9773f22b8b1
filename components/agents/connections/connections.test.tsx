import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { NetworkProvider } from "@/components/api/network-context";
import { ToastProvider } from "@/components/ui/toast";
import type { ConnectionResource } from "@/lib/http/connections/connection-resource";
import { Connections } from "./connections";

const after = (ms: number) => new Date(Date.now() + ms).toISOString();
const one = (application: string, change: Partial<ConnectionResource>): ConnectionResource => ({
  ...{ connection_id: application, agent: "@mira/bot", application, redirect_host: "localhost", scopes: ["read"] },
  ...{ created_at: after(-60_000), expires_at: after(60_000), revoked_at: null, last_used_at: null },
  ...change,
});

const shown = (...connections: ConnectionResource[]) =>
  renderToStaticMarkup(
    <QueryClientProvider client={new QueryClient()}>
      <NetworkProvider network="test">
        <ToastProvider>
          <Connections initial={{ connections }} />
        </ToastProvider>
      </NetworkProvider>
    </QueryClientProvider>,
  );

const over = [one("Revoked", { revoked_at: after(-1_000) }), one("Expired", { expires_at: after(-1_000) })];

test("applications that can still act are listed, and no others", () => {
  const text = shown(one("Assistant", {}), ...over);
  expect(text).toContain("Assistant");
  expect(text).not.toMatch(/Revoked|Expired/);
});

test("where none can act, nothing is shown", () => {
  expect(shown(...over)).toBe("");
});
