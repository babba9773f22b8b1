export { serveStream as GET } from "@/lib/http/serve-stream";
