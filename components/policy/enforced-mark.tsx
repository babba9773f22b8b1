import { Link2, Server } from "lucide-react";
import { classNames } from "@/components/ui/class-names";
import type { Enforcer } from "@/lib/policy/enforced-by";

const MARKS = {
  chain: { Icon: Link2, says: "Enforced by the chain", tone: "text-accent" },
  service: { Icon: Server, says: "Enforced by the service", tone: "text-muted" },
} as const;

/** Shows who enforces a rule. */
export function EnforcedMark({ by, className }: { by: Enforcer; className?: string }) {
  const { Icon, says, tone } = MARKS[by];
  return (
    <span className={classNames("inline-flex items-center gap-1.5 whitespace-nowrap text-xs", tone, className)}>
      <Icon size={13} aria-hidden="true" />
      {says}
    </span>
  );
}
