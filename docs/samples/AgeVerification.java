import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.math.BigInteger;
import java.net.*;
import java.net.http.*;
import java.nio.charset.StandardCharsets;
import java.security.*;
import java.security.spec.*;
import java.time.*;
import java.util.*;
import java.util.concurrent.*;
import java.util.stream.Stream;
import java.util.zip.InflaterInputStream;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Start an age verification, wait for its result, receive its event, check its token: java AgeVerification.java
 * Needs Java 17.0.3 or newer, and no packages. Reads its settings from the environment.
 */
public class AgeVerification {
  static final HttpClient http = HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(10)).build();

  public static void main(String[] args) throws Exception {
    try {
      run(args.length > 0 ? args[0] : "", args.length > 1 ? args[1] : "");
    } catch (IllegalArgumentException | IOException | GeneralSecurityException error) {
      System.err.println(error.getMessage());
      System.exit(1);
    }
  }

  static void run(String command, String argument) throws Exception {
    switch (command) {
      case "start" -> {
        var started = call("POST", "/verify/start", "{}");
        System.out.println(started.get("verificationId") + " " + started.get("sessionUrl"));
      }
      case "wait" -> {
        var result = waitForCompletion(argument);
        System.out.println(result.get("status") + " " + result.get("over18") + " " + result.get("token"));
      }
      case "validate" -> {
        if (!argument.matches("[\\w.-]*")) throw new Refused("Not a token");
        var verdict = call("POST", "/tokens/validate", "{\"token\":\"" + argument + "\"}");
        System.out.println(verdict.get("valid") + " " + verdict.get("reason"));
      }
      case "verify" -> {
        var issuer = setting("SERVICE_URL");
        var verifier = new TokenVerifier(issuer, setting("TENANT_ID"), Clock.systemUTC(), AgeVerification::fetch);
        System.out.println(verifier.isAdult(argument));
      }
      case "receive" -> new Receiver().serve(Integer.parseInt(setting("PORT")));
      default -> throw new Refused("Use start, wait VERIFICATION_ID, validate TOKEN, verify TOKEN or receive");
    }
  }

  static String setting(String name) {
    var value = System.getenv().getOrDefault(name, "");
    if (value.isEmpty()) throw new Refused("Set " + name);
    return value;
  }

  /** What can't be accepted, and says why. */
  static class Refused extends IllegalArgumentException {
    Refused(String message) {
      super(message);
    }
  }

  // ---- The tenant API

  /** May be tried again, after some seconds. */
  static class TemporaryFailure extends IOException {
    final long retryAfterSeconds;

    TemporaryFailure(String message, long retryAfterSeconds) {
      super(message);
      this.retryAfterSeconds = retryAfterSeconds;
    }
  }

  /** Returns the response of the tenant API. Throws what it says is wrong. */
  static Map<?, ?> call(String method, String path, String body) throws IOException, InterruptedException {
    var request = HttpRequest.newBuilder(URI.create(setting("SERVICE_URL") + path))
      .header("x-tenant-api-key", setting("API_KEY"))
      .header("content-type", "application/json")
      .method(method, HttpRequest.BodyPublishers.ofString(body))
      .timeout(Duration.ofSeconds(40));
    HttpResponse<String> response;
    try {
      response = http.send(request.build(), HttpResponse.BodyHandlers.ofString());
    } catch (IOException error) {
      throw new TemporaryFailure("The service can't be reached: " + error, 3);
    }
    int status = response.statusCode();
    try {
      if (status < 300) return Json.object(response.body());
    } catch (Refused malformed) {
      throw new TemporaryFailure(malformed.getMessage(), 3);
    }
    if (status >= 400 && status < 500 && status != 429) throw new Refused(status + " " + response.body());
    var retryAfter = response.headers().firstValue("retry-after").filter(text -> text.matches("[1-9]\\d{0,8}"));
    long seconds = Long.parseLong(retryAfter.orElse("3"));
    throw new TemporaryFailure(status + " " + response.body(), Math.min(seconds, 60));
  }

  /** The status of this verification. An answer about another one, or of a proxy, is none. */
  static Map<?, ?> readStatus(String verificationId, String parameters) throws IOException, InterruptedException {
    var id = URLEncoder.encode(verificationId, StandardCharsets.UTF_8);
    var result = call("GET", "/verify/status?verificationId=" + id + parameters, "");
    if (verificationId.equalsIgnoreCase(String.valueOf(result.get("verificationId")))) return result;
    throw new TemporaryFailure("Not an answer about this verification", 3);
  }

  /** The service responds as soon as there is a result, or after 25 seconds. */
  static Map<?, ?> waitForCompletion(String verificationId) throws IOException, InterruptedException {
    var deadline = Instant.now().plus(Duration.ofMinutes(15));
    while (Instant.now().isBefore(deadline)) {
      try {
        var result = readStatus(verificationId, "&wait=25");
        if (result.get("completedAt") instanceof String) return result;
        Thread.sleep(1000);
      } catch (TemporaryFailure failure) {
        Thread.sleep(failure.retryAfterSeconds * 1000);
      }
    }
    throw new Refused("The verification is not completed yet");
  }

  // ---- Webhook events

  static class Receiver {
    final List<String> secrets =
      Stream.of(System.getenv().getOrDefault("WEBHOOK_SECRETS", "").split(",", -1)).map(String::strip).toList();
    final Set<Object> stored = ConcurrentHashMap.newKeySet(); // In production: a table with a unique key.
    final ExecutorService threads = Executors.newCachedThreadPool();

    Receiver() {
      setting("SERVICE_URL");
      setting("API_KEY");
      if (!secrets.stream().allMatch(secret -> secret.matches("whsec_[\\w-]+")))
        throw new Refused("Set WEBHOOK_SECRETS to webhook secrets, separated by commas, without quotes");
    }

    void serve(int port) throws IOException {
      var server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0);
      server.createContext("/", exchange -> {
        try (exchange) {
          exchange.sendResponseHeaders(receive(exchange), -1);
        }
      });
      server.setExecutor(threads);
      server.start();
    }

    /** Stores an authentic event, once. Returns the status to respond with at once. */
    int receive(HttpExchange exchange) throws IOException {
      var body = exchange.getRequestBody().readNBytes(64 << 10);
      var signature = exchange.getRequestHeaders().getFirst("X-Webhook-Signature");
      if (signature == null || !isSigned(body, signature)) return 401;
      Map<?, ?> message;
      try {
        message = Json.object(new String(body, StandardCharsets.UTF_8));
      } catch (IllegalArgumentException malformed) {
        return 400;
      }
      var age = Duration.between(Instant.parse((String) message.get("timestamp")), Instant.now());
      if ("verification.completed".equals(message.get("event")) && age.compareTo(Duration.ofDays(1)) < 0) {
        var verificationId = String.valueOf(((Map<?, ?>) message.get("data")).get("verificationId"));
        // In production: a job that is retried.
        if (stored.add(verificationId)) threads.execute(() -> decide(verificationId));
      }
      return 204;
    }

    boolean isSigned(byte[] body, String signature) {
      var given = signature.toLowerCase().getBytes(StandardCharsets.UTF_8);
      return secrets.stream().anyMatch(secret -> MessageDigest.isEqual(hmac(body, secret), given));
    }

    static byte[] hmac(byte[] body, String secret) {
      try {
        var mac = Mac.getInstance("HmacSHA256");
        mac.init(new SecretKeySpec(secret.getBytes(StandardCharsets.UTF_8), "HmacSHA256"));
        return HexFormat.of().formatHex(mac.doFinal(body)).getBytes(StandardCharsets.UTF_8);
      } catch (GeneralSecurityException error) {
        throw new IllegalStateException(error);
      }
    }

    /** Approved does not mean 18 or over: only over18 decides. */
    static void decide(String verificationId) {
      try {
        var result = readStatus(verificationId, "");
        System.out.println(verificationId + (Boolean.TRUE.equals(result.get("over18")) ? " admit" : " refuse"));
      } catch (Exception error) {
        System.err.println(verificationId + " " + error.getMessage());
      }
    }
  }

  // ---- Tokens, offline

  interface Fetch {
    String get(String url) throws IOException;
  }

  record TokenVerifier(String issuer, String audience, Clock clock, Fetch fetch) {
    /** Throws if the token is not authentic, or if it can't be known whether it was revoked: don't admit. */
    boolean isAdult(String token) throws IOException, GeneralSecurityException {
      var claims = readClaims(token, "JWT");
      if (!audience.equals(claims.get("aud"))) throw new Refused("The token is of another tenant");
      boolean revoked = isRevoked(field(field(claims, "status"), "status_list"));
      return !revoked && Boolean.TRUE.equals(claims.get("over18"));
    }

    /** In production, keep each list for its ttl. */
    boolean isRevoked(Map<?, ?> reference) throws IOException, GeneralSecurityException {
      if (!(reference.get("idx") instanceof Long index)
        || index < 0
        || !(reference.get("uri") instanceof String uri)
        || !uri.startsWith(issuer + "/tokens/status-lists/"))
        throw new Refused("The token has no status list of the issuer");
      var claims = readClaims(fetch.get(uri), "statuslist+jwt");
      if (!uri.equals(claims.get("sub"))) throw new Refused("The status list is another one");
      var compressed = decode(field(claims, "status_list").get("lst"));
      var bits = new InflaterInputStream(new ByteArrayInputStream(compressed)).readNBytes(1 << 20);
      if (index >= bits.length * 8L) throw new Refused("The status list is too short");
      return (bits[(int) (index >> 3)] >> (index & 7) & 1) == 1;
    }

    /** The claims of a token that the issuer signed, and that has not expired. */
    Map<?, ?> readClaims(String token, String type) throws IOException, GeneralSecurityException {
      var parts = token.split("\\.", -1);
      if (parts.length != 3) throw new Refused("Not a token");
      var header = readObject(parts[0]);
      // Never what the token asks for: ES256 only, and nothing that has to be understood.
      if (!"ES256".equals(header.get("alg")) || !type.equals(header.get("typ")) || header.containsKey("crit"))
        throw new Refused("Not a token of the type " + type);
      var verifying = Signature.getInstance("SHA256withECDSAinP1363Format");
      verifying.initVerify(findKey(header.get("kid")));
      verifying.update((parts[0] + "." + parts[1]).getBytes(StandardCharsets.UTF_8));
      var signature = decode(parts[2]);
      if (signature.length != 64 || !verifying.verify(signature)) throw new Refused("The signature is wrong");
      var claims = readObject(parts[1]);
      boolean expires = claims.get("exp") instanceof Long expiry && expiry > clock.instant().getEpochSecond();
      if (!expires || !issuer.equals(claims.get("iss")))
        throw new Refused("The token has expired, or is of another issuer");
      return claims;
    }

    /** In production, keep the keys, and fetch them again for an unknown kid. */
    PublicKey findKey(Object kid) throws IOException, GeneralSecurityException {
      var jwks = Json.object(fetch.get(issuer + "/.well-known/jwks.json"));
      for (var candidate : (List<?>) jwks.get("keys")) {
        var key = (Map<?, ?>) candidate;
        if (!key.get("kid").equals(kid) || !"P-256".equals(key.get("crv"))) continue;
        var curve = AlgorithmParameters.getInstance("EC");
        curve.init(new ECGenParameterSpec("secp256r1"));
        var point = new ECPoint(new BigInteger(1, decode(key.get("x"))), new BigInteger(1, decode(key.get("y"))));
        var spec = new ECPublicKeySpec(point, curve.getParameterSpec(ECParameterSpec.class));
        return KeyFactory.getInstance("EC").generatePublic(spec);
      }
      throw new Refused("The key is not published");
    }

    static Map<?, ?> field(Map<?, ?> object, String name) {
      if (object.get(name) instanceof Map<?, ?> value) return value;
      throw new Refused("Without " + name);
    }

    static Map<?, ?> readObject(String part) {
      return Json.object(new String(decode(part), StandardCharsets.UTF_8));
    }

    /** Accepts the one spelling that bytes have in base64url. */
    static byte[] decode(Object part) {
      try {
        var bytes = Base64.getUrlDecoder().decode((String) part);
        if (Base64.getUrlEncoder().withoutPadding().encodeToString(bytes).equals(part)) return bytes;
      } catch (RuntimeException malformed) {
        // As another spelling.
      }
      throw new Refused("Not base64url");
    }
  }

  static String fetch(String url) throws IOException {
    try {
      var request = HttpRequest.newBuilder(URI.create(url)).timeout(Duration.ofSeconds(10)).build();
      var response = http.send(request, HttpResponse.BodyHandlers.ofString());
      if (response.statusCode() == 200) return response.body();
    } catch (InterruptedException error) {
      Thread.currentThread().interrupt();
    }
    throw new IOException(url + " can't be fetched");
  }

  /** Reads JSON, which the JDK doesn't. In a project with Jackson or Gson, use that instead. */
  static final class Json {
    private final String text;
    private int at;

    private Json(String text) {
      this.text = text;
    }

    static Map<?, ?> object(String text) {
      var json = new Json(text);
      var value = json.value(0);
      if (json.peek() != '\0' || !(value instanceof Map<?, ?> object)) throw json.malformed();
      return object;
    }

    private Object value(int depth) {
      if (depth > 16) throw malformed();
      return switch (peek()) {
        case '{' -> members(depth);
        case '[' -> elements(depth);
        case '"' -> string();
        default -> literal();
      };
    }

    private Map<String, Object> members(int depth) {
      var members = new HashMap<String, Object>();
      take('{');
      while (peek() != '}') {
        if (!members.isEmpty()) take(',');
        var name = string();
        take(':');
        if (members.containsKey(name)) throw malformed();
        members.put(name, value(depth + 1));
      }
      take('}');
      return members;
    }

    private List<Object> elements(int depth) {
      var elements = new ArrayList<Object>();
      take('[');
      while (peek() != ']') {
        if (!elements.isEmpty()) take(',');
        elements.add(value(depth + 1));
      }
      take(']');
      return elements;
    }

    private String string() {
      var string = new StringBuilder();
      take('"');
      for (char next = read(); next != '"'; next = read()) {
        if (next < ' ') throw malformed();
        string.append(next == '\\' ? escaped(read()) : next);
      }
      return string.toString();
    }

    private char escaped(char letter) {
      if (letter == 'u') return (char) HexFormat.fromHexDigits("" + read() + read() + read() + read());
      int index = "\"\\/bfnrt".indexOf(letter);
      if (index < 0) throw malformed();
      return "\"\\/\b\f\n\r\t".charAt(index);
    }

    /** Whole numbers are of the class Long, and others Double. */
    private Object literal() {
      int start = at;
      while (at < text.length() && ",]} \t\r\n".indexOf(text.charAt(at)) < 0) at++;
      var literal = text.substring(start, at);
      return switch (literal) {
        case "true" -> true;
        case "false" -> false;
        case "null" -> null;
        default -> {
          if (literal.matches("-?\\d{1,18}")) yield Long.valueOf(literal);
          if (!literal.matches("-?\\d+(\\.\\d+)?([eE][+-]?\\d+)?")) throw malformed();
          yield Double.valueOf(literal);
        }
      };
    }

    /** The next character that is no white space; NUL at the end. */
    private char peek() {
      while (at < text.length() && " \t\r\n".indexOf(text.charAt(at)) >= 0) at++;
      return at < text.length() ? text.charAt(at) : '\0';
    }

    private void take(char expected) {
      if (peek() != expected) throw malformed();
      at++;
    }

    private char read() {
      if (at >= text.length()) throw malformed();
      return text.charAt(at++);
    }

    private Refused malformed() {
      return new Refused("Not JSON of the service");
    }
  }
}
