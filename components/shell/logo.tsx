/** The mark: a kingfisher (halcyon) diving below a calm line. */
export function Logo({ wordmark = true }: { wordmark?: boolean }) {
  return (
    <span className="inline-flex items-center gap-2">
      <svg width="22" height="22" viewBox="0 0 24 24" fill="none" aria-hidden="true">
        <rect width="24" height="24" rx="7" className="fill-accent" />
        <path
          d="M5.5 9.5c2.2-2.6 4.3-2.6 6.5 0s4.3 2.6 6.5 0"
          className="stroke-accent-ink"
          strokeWidth="2"
          strokeLinecap="round"
        />
        <path d="M8.5 15.5h7" className="stroke-accent-ink" strokeWidth="2" strokeLinecap="round" opacity="0.7" />
      </svg>
      {wordmark ? (
        <span className="font-semibold tracking-tight">Halcyon</span>
      ) : (
        <span className="sr-only">Halcyon</span>
      )}
    </span>
  );
}
