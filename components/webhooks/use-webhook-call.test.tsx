import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { AppRouterContext, type AppRouterInstance } from "next/dist/shared/lib/app-router-context.shared-runtime";
import { renderToStaticMarkup } from "react-dom/server";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { NetworkProvider } from "@/components/api/network-context";
import { sessionIsBack } from "@/components/api/sign-in-again";
import { useWebhookCall } from "./use-webhook-call";

const refresh = vi.fn();
const client = new QueryClient();
const invalidate = vi.spyOn(client, "invalidateQueries");

type WebhookCall = ReturnType<typeof useWebhookCall>;

function Control({ onCall }: { onCall: (call: WebhookCall) => void }) {
  onCall(useWebhookCall());
  return null;
}

/** Calls the service as a control of the page does. Every request gets this response. */
async function press(status: number, body: object): Promise<unknown> {
  vi.stubGlobal("fetch", async () => Response.json(body, { status }));
  let call: WebhookCall | undefined;
  const take = (given: WebhookCall) => {
    call = given;
  };
  renderToStaticMarkup(
    <AppRouterContext value={{ refresh } as unknown as AppRouterInstance}>
      <QueryClientProvider client={client}>
        <NetworkProvider network="test">
          <Control onCall={take} />
        </NetworkProvider>
      </QueryClientProvider>
    </AppRouterContext>,
  );
  return call?.((api) => api.post("/v1/webhooks", {})).catch((error: unknown) => error);
}

beforeEach(() => {
  vi.stubGlobal("location", { origin: "http://localhost", href: "http://localhost/test" });
  vi.clearAllMocks();
});
afterEach(() => {
  sessionIsBack();
  vi.unstubAllGlobals();
});

test("after a change, everything that shows webhooks and the page itself are read again", async () => {
  expect(await press(201, { secret: "whsec_" })).toEqual({ secret: "whsec_" });
  expect(invalidate).toHaveBeenCalledOnce();
  await expect.poll(() => refresh).toHaveBeenCalledOnce();
});

const EXPIRED = { error: { code: "unauthorized", message: "Sign in.", reason: "session_expired" } };

test.each([
  { case: "the session is over", status: 401, body: EXPIRED },
  { case: "a proxy responds", status: 502, body: {} },
])(
  "where $case, the page stays as it is, with what was typed, and what it lists is read again",
  async ({ status, body }) => {
    expect(await press(status, body)).toMatchObject({ status });
    expect(invalidate).toHaveBeenCalledOnce();
    await new Promise((resolve) => setImmediate(resolve));
    expect(refresh).not.toHaveBeenCalled();
  },
);
