"""Start the guest program: ``python3 -m pptarena.vm_images.guest --fd 3``."""

import argparse
import os
import socket

from pptarena.vm_images.guest.server import serve

parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("--fd", type=int, required=True, help="descriptor of the connected socket")
arguments = parser.parse_args()
connection = socket.socket(fileno=arguments.fd)
connection.set_inheritable(False)
serve(connection)
os._exit(0)  # the namespace goes with this process; nothing is left to tidy up
