import { Callout } from "@/components/ui/callout";
import type { ActWords } from "./words";

/**
 * Says that the outcome of an act is not known yet, what happens next, and what not to do.
 *
 * @param says the service's last word, which decides nothing
 */
export function LostResponse({ words, says }: { words: Pick<ActWords, "whether" | "warning">; says?: string }) {
  return (
    <div role="alert">
      <Callout tone="warning" title={`We don't know yet ${words.whether}.`}>
        {words.warning} Halcyon keeps checking. You can close this: every page shows what happened as soon as it is
        known.
        {says && <span className="mt-1.5 block">The service's last word, which decides nothing: “{says}”</span>}
      </Callout>
    </div>
  );
}

/** Says why another act to the same place has to wait. */
export function Earlier({ words }: { words: Pick<ActWords, "whether" | "warning"> }) {
  return (
    <Callout tone="warning" title="An earlier one is not settled yet.">
      We don't know yet {words.whether} the last time. Halcyon keeps checking. You can go on as soon as it is known,
      after a few minutes at the latest.
    </Callout>
  );
}
