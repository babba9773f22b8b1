import { KEEPS_CHECKING, type UnknownWords } from "@/components/api/unknown-outcome";
import { Callout } from "@/components/ui/callout";

/**
 * Says that the outcome of an act is not known yet, what happens next, and what not to do.
 *
 * @param says the last error message of the service, which proves nothing
 */
export function LostResponse({ words, says }: { words: UnknownWords; says?: string }) {
  return (
    <div role="alert">
      <Callout tone="warning" title={`We don't know yet ${words.whether}.`}>
        {words.warning} {KEEPS_CHECKING} You can close this: every page shows what happened as soon as it is known.
        {says && <span className="mt-1.5 block">The service's last message, which proves nothing: “{says}”</span>}
      </Callout>
    </div>
  );
}

/** Says why another act to the same place has to wait. */
export function Earlier({ words }: { words: UnknownWords }) {
  return (
    <Callout tone="warning" title="An earlier attempt is not settled yet.">
      We don't know yet {words.whether} the last time. {KEEPS_CHECKING}{" "}
      {words.until ?? "You can continue as soon as it is known, after a few minutes at the latest."}
    </Callout>
  );
}
