export { answerStream as GET } from "@/lib/http/stream-route";
