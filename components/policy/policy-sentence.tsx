import { Quote } from "lucide-react";
import { WrittenHours } from "@/components/ui/written-hours";
import { policyInWords } from "@/lib/policy/in-words";
import type { PolicyFields } from "@/lib/policy/spend-policy";

/**
 * Explains a policy in one sentence. Announced when it changes.
 *
 * @param policy null while the service would refuse the draft
 */
export function PolicySentence({ policy }: { policy: PolicyFields | null }) {
  return (
    <div className="flex min-h-16 items-center rounded-lg bg-accent-soft px-4 py-3.5">
      <div className="flex gap-3">
        <Quote size={16} aria-hidden="true" className="mt-1 shrink-0 text-accent" />
        <p role="status" className="min-w-0 text-pretty text-[15px] leading-6">
          {policy ? (
            <WrittenHours>{policyInWords(policy)}</WrittenHours>
          ) : (
            <span className="text-muted">Correct the marked fields to read what the policy says.</span>
          )}
        </p>
      </div>
    </div>
  );
}
