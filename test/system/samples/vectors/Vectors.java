import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;

/** Prints the verdict on each token of the standard input. */
class Vectors {
  public static void main(String[] args) throws Exception {
    var input = AgeVerification.Json.object(new String(System.in.readAllBytes(), StandardCharsets.UTF_8));
    for (var each : (List<?>) input.get("vectors")) {
      var vector = (Map<?, ?>) each;
      var responses = (Map<?, ?>) vector.get("responses");
      var verifier = new AgeVerification.TokenVerifier(
        (String) vector.get("issuer"),
        (String) vector.get("audience"),
        Clock.fixed(Instant.ofEpochSecond((Long) vector.get("now")), ZoneOffset.UTC),
        url -> {
          if (responses.get(url) instanceof String body) return body;
          throw new IOException("Not found");
        });
      try {
        System.out.println(verifier.isAdult((String) vector.get("token")));
      } catch (Exception error) {
        System.out.println("error");
      }
    }
  }
}
