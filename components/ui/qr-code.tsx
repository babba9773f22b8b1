import encodeQR from "qr";

/**
 * A QR code (ISO/IEC 18004). Black on white in both themes, because scanners expect that.
 *
 * @param label describes the code for screen readers
 */
export default function QrCode({ value, label }: { value: string; label: string }) {
  const rows = encodeQR(value, "raw", { ecc: "medium", border: 4 });
  const dark = rows.flatMap((row, y) => row.flatMap((on, x) => (on ? [`M${x} ${y}h1v1h-1z`] : [])));
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${rows.length} ${rows.length}`}
      shapeRendering="crispEdges"
      className="aspect-square w-full max-w-64 rounded-lg"
    >
      <rect width="100%" height="100%" fill="white" />
      <path d={dark.join("")} fill="black" />
    </svg>
  );
}
