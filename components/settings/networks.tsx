import { ArrowRight } from "lucide-react";
import { Badge } from "@/components/ui/badge";
import { buttonClass } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { classNames } from "@/components/ui/class-names";
import type { KycStatus } from "@/lib/accounts/kyc/provider";
import type { Network } from "@/lib/base/network";
import { KycBadge } from "./kyc-badge";

/** The account's state on a network. */
interface NetworkState {
  network: Network;
  /** Whether the chain runs on this machine. */
  local: boolean;
  chain_id: number;
  enrolled: "none" | "pending" | "enrolled";
  kyc_status: KycStatus;
}

const NAMES: Record<Network, string> = { test: "Test network", live: "Live network" };

function meaning({ network, local }: NetworkState): string {
  if (network === "test") return "Play money. Try anything here: nothing you do reaches the live network.";
  return local ? "Stands for real money; on this machine its chain is local." : "Real money. Payments here are final.";
}

const ENROLLED = { none: "Not enrolled", pending: "Enrolling", enrolled: "Enrolled" };

/**
 * Both networks side by side. Changing networks loads a full page, so that nothing of the other one stays in memory.
 */
export function Networks({ current, standings }: { current: Network; standings: readonly NetworkState[] }) {
  return (
    <Card
      title="Networks"
      description="Handle and wallet are the same on both. Money, keys, agents and identity checks are separate."
    >
      <ul className="grid gap-3 sm:grid-cols-2">
        {standings.map((standing) => {
          const { network, chain_id, enrolled, kyc_status } = standing;
          const here = network === current;
          return (
            <li
              key={network}
              className={classNames(
                "flex flex-col gap-3 rounded-lg border p-4",
                network === "live" && here ? "border-live/40 bg-live-soft/40" : "border-line",
              )}
            >
              <div className="flex items-start justify-between gap-3">
                <div>
                  <h3 className={classNames("font-medium text-sm", network === "live" && "text-live")}>
                    {NAMES[network]}
                  </h3>
                  <p className="text-muted text-xs tabular-nums">Chain {chain_id}</p>
                </div>
                {here && <Badge tone={network === "live" ? "live" : "accent"}>You are here</Badge>}
              </div>
              <p className="text-pretty text-muted text-sm">{meaning(standing)}</p>
              <p className="flex flex-wrap gap-2">
                <Badge tone={enrolled === "enrolled" ? "success" : enrolled === "pending" ? "warning" : "neutral"}>
                  {ENROLLED[enrolled]}
                </Badge>
                <KycBadge status={kyc_status} />
              </p>
              {!here && (
                <a
                  href={enrolled === "none" ? `/${network}/welcome` : `/${network}/settings`}
                  className={buttonClass("secondary", "small", "mt-auto self-start")}
                >
                  {enrolled === "none" ? `Enroll on the ${network} network` : `Go to the ${network} network`}
                  <ArrowRight size={14} aria-hidden="true" />
                </a>
              )}
            </li>
          );
        })}
      </ul>
    </Card>
  );
}
