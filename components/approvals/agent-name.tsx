/** The part of an agent's handle that distinguishes it from its siblings: `bot` of `@alice/bot`. */
export function shortName(handle: string): string {
  return handle.split("/")[1] ?? handle;
}

/** An agent's handle; what all of an owner's agents share stands back, and is left out where there is no room. */
export function AgentName({ handle }: { handle: string }) {
  const name = shortName(handle);
  return (
    <span className="wrap-anywhere">
      <span className="sr-only font-normal text-muted sm:not-sr-only">
        {handle.slice(0, handle.length - name.length)}
      </span>
      {name}
    </span>
  );
}
