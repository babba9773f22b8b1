import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { AppRouterContext, type AppRouterInstance } from "next/dist/shared/lib/app-router-context.shared-runtime";
import { renderToStaticMarkup } from "react-dom/server";
import { beforeEach, expect, test, vi } from "vitest";
import { NetworkProvider } from "@/components/api/network-context";
import { ConnectionBar } from "./connection-bar";

const state: { offline: boolean; silent: boolean; coming: { name?: string; late?: boolean } | null } = {
  offline: false,
  silent: false,
  coming: null,
};
vi.mock("@/components/api/use-offline", () => ({ useOffline: () => state.offline, isReached: vi.fn() }));
vi.mock("@/components/api/use-service-silent", () => ({ useServiceSilent: () => state.silent }));
vi.mock("./page-transition", () => ({
  useComingPage: () => state.coming && { late: true, ...state.coming, again: vi.fn() },
}));

beforeEach(() => Object.assign(state, { offline: false, silent: false, coming: null }));

const said = () =>
  renderToStaticMarkup(
    <AppRouterContext value={{} as AppRouterInstance}>
      <QueryClientProvider client={new QueryClient()}>
        <NetworkProvider network="test">
          <ConnectionBar />
        </NetworkProvider>
      </QueryClientProvider>
    </AppRouterContext>,
  ).replace(/<[^>]*>/g, "");

test("while all is well the bar says nothing", () => {
  expect(said()).toBe("");
});

test("the bar says that the service does not respond, what is tried, and offers to try now", () => {
  state.silent = true;
  expect(said()).toBe("Halcyon does not respond. Asking again every few seconds; what you see stays.Try now");
  state.coming = { name: "API keys" };
  expect(said()).toBe("Halcyon does not respond. Waiting to open API keys; asking again every few seconds.Try now");
  state.coming = {};
  expect(said()).toContain("Waiting to open the page;");
});

test("a page that is merely late is named, and can be asked for again", () => {
  state.coming = { name: "Schedules" };
  expect(said()).toBe("Opening Schedules takes longer than usual. Still waiting.Try now");
  state.coming = { name: "Schedules", late: false };
  expect(said()).toBe("");
});

test("a browser that is offline has nothing to try", () => {
  Object.assign(state, { offline: true, silent: true });
  expect(said()).toBe("You are offline. Nothing you start now is sent later.");
});
