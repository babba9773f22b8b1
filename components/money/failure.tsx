"use client";

import { type ReactNode, useState } from "react";
import { messageOf } from "@/components/api/message-of";
import { useNetwork } from "@/components/api/network-context";
import { isSessionOver, signInAgain } from "@/components/api/sign-in-again";
import { useSessionOver } from "@/components/api/use-session-over";
import { Callout } from "@/components/ui/callout";
import { Link } from "@/components/ui/link";
import type { Network } from "@/lib/base/network";
import { ApiCallError } from "@/sdk/api/errors";
import { DoLink } from "./do-link";

const LINK = "font-medium text-ink underline underline-offset-2";

function codeOf(error: unknown): string | undefined {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : undefined;
}

/** Returns the remedy that this page offers, or null if the service's own message says it. */
function remedyOf(
  error: unknown,
  network: Network,
  nothing: string,
  asset?: string,
  agent?: string,
): { title: string; remedy: ReactNode } | null {
  switch (codeOf(error)) {
    case "insufficient_balance":
      return {
        title: "The balance is too low.",
        remedy: (
          <>
            <DoLink act="make-available" parameters={{ asset, agent }} className={LINK}>
              Make received or deposited money available
            </DoLink>
            , or{" "}
            <DoLink act="add-funds" parameters={{ asset }} className={LINK}>
              add funds
            </DoLink>{" "}
            first.
          </>
        ),
      };
    case "kyc_required":
      return {
        title: "Your identity is not verified yet.",
        remedy: (
          <Link href={`/${network}/settings`} className={LINK}>
            Verify your identity in the settings
          </Link>
        ),
      };
    case "recipient_not_found":
      return { title: "No account has this handle.", remedy: "Check the spelling, or pay their address instead." };
    case "recipient_not_confidential_ready":
      return {
        title: "This recipient has not enrolled on this network.",
        remedy: (
          <>
            Ask them to sign up, or{" "}
            <DoLink act="withdraw" parameters={{ asset }} className={LINK}>
              withdraw to their address
            </DoLink>{" "}
            in public.
          </>
        ),
      };
    case "unauthorized":
      // A locked vault has this code as well, and its message is enough.
      if (!(error instanceof ApiCallError) && !isSessionOver()) return null;
      return {
        title: nothing,
        remedy: <SignedOut />,
      };
    case "policy_not_in_force":
      return {
        title: agent ? `The policy of ${agent} is not in force.` : "The limits of your keys are not in force.",
        remedy: (
          <>
            The chain does not have the policy that is stored here.{" "}
            <Link href={`/${network}/${agent ? "agents" : "settings/security"}`} className={LINK}>
              {agent ? "Open the agent" : "Open your limits"}
            </Link>{" "}
            and sign it again.
          </>
        ),
      };
    case "available_balance_changed":
      return { title: "Another payment came first.", remedy: "Nothing was paid here. Try again." };
    default:
      return null;
  }
}

/** Offers to sign in. Once the wallet has signed in again over the page, says so. */
function SignedOut() {
  const over = useSessionOver();
  const [seen, setSeen] = useState(over);
  if (over && !seen) setSeen(true);
  if (seen && !over) return "You are signed in again. Try once more.";
  return (
    <>
      You have been signed out.{" "}
      <button type="button" onClick={() => signInAgain()} className={LINK}>
        Sign in
      </button>{" "}
      and try again.
    </>
  );
}

/** Says why something was not done and what to do. Announced when it appears. */
export function Failure({
  error,
  asset,
  agent,
  title,
}: {
  error: unknown;
  asset?: string;
  agent?: string;
  title?: string;
}) {
  const network = useNetwork();
  const nothing = title ?? "That did not work.";
  const known = remedyOf(error, network, nothing, asset, agent);
  return (
    <Callout tone="danger" title={known?.title ?? nothing}>
      {known?.remedy ?? messageOf(error)}
    </Callout>
  );
}
