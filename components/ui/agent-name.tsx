/** Returns the part of an agent's handle that distinguishes it from its siblings: `bot` of `@alice/bot`. */
export function shortName(handle: string): string {
  return handle.split("/")[1] ?? handle;
}

/**
 * An agent's handle on one line. The part shared by all agents of the owner is truncated first, and hidden where less
 * than a few letters of it have room: it would wrap to a second line, which is not seen.
 */
export function AgentLine({ handle }: { handle: string }) {
  const at = handle.indexOf("/");
  // An account without an owner's part has nothing that its siblings share.
  if (at < 0) return <span className="block min-w-0 truncate">{handle}</span>;
  return (
    <span className="flex h-[1lh] min-w-0 flex-row-reverse flex-wrap justify-end overflow-hidden">
      <span className="order-2 min-w-0 max-w-max flex-[1_1_5ch] truncate font-normal text-muted">
        {handle.slice(0, at)}
      </span>
      <span className="order-1 max-w-full shrink-0 truncate">{handle.slice(at)}</span>
    </span>
  );
}

/** An agent's handle. The part shared by all agents of the owner is muted, and hidden on narrow screens. */
export function AgentName({ handle }: { handle: string }) {
  const name = shortName(handle);
  return (
    <span className="wrap-anywhere">
      <span className="sr-only font-normal text-muted lg:not-sr-only">
        {handle.slice(0, handle.length - name.length)}
      </span>
      {name}
    </span>
  );
}
