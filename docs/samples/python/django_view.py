from django.http import HttpResponse
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST

from receive import receive

@csrf_exempt
@require_POST
def webhooks(request):
    # Django reads no chunks by WSGI: have the proxy send a Content-Length, or use ASGI.
    if not request.body and "Transfer-Encoding" in request.headers:
        return HttpResponse(status=411)
    return HttpResponse(status=receive(request.body, request.headers))
