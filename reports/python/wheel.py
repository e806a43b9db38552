"""The wheel of collsim: a zip of the package, the shared library and what it needs.

As a program, `wheel.py VERSION LIBRARY OUT`: the wheel in the folder OUT (`make wheel`).  As
the build backend of pyproject.toml: `pip install ./reports/python` runs make, which needs a C
compiler, and no package of Python.  The tag states the oldest glibc whose symbols the library
and its companions use.
"""

import base64
import hashlib
import os
import re
import subprocess
import sys
import sysconfig
import zipfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
# Of glibc itself: every system that the tag admits has them.
SYSTEM = re.compile(r"(ld-linux|linux-vdso|libc\.so|libm\.so|libpthread\.so|libdl\.so|librt\.so)")


def companions(library):
    """The shared libraries that the library needs beside glibc, by name."""
    told = subprocess.run(["ldd", str(library)], check=True, capture_output=True, text=True)
    found = re.findall(r"^\s*(\S+) => (\S+)", told.stdout, re.M)
    return {name: Path(path) for name, path in found if not SYSTEM.match(name)}


def notice(library):
    """The licence of a companion, as Debian states it; None: elsewhere."""
    real = os.path.realpath(library)
    for path in (real, real[len("/usr"):] if real.startswith("/usr/") else real):
        try:
            told = subprocess.run(["dpkg", "-S", path], capture_output=True, text=True)
        except OSError:
            return None
        stated = Path("/usr/share/doc", told.stdout.split(":")[0], "copyright")
        if told.returncode == 0 and stated.is_file():
            return stated.read_bytes()
    return None


def tag(libraries):
    """"manylinux_2_36_x86_64" where glibc's symbols have versions, else that of the platform."""
    platform = sysconfig.get_platform().replace("-", "_").replace(".", "_")
    versions = [tuple(map(int, version.split(b".")))
                for library in libraries
                for version in re.findall(rb"\0GLIBC_(\d+\.\d+)(?:\.\d+)?(?=\0)", library.read_bytes())]
    if not versions or not platform.startswith("linux_"):
        return platform
    return "many%s_%d_%d_%s" % (("linux",) + max(versions) + (platform[len("linux_"):],))


def write(version, library, out):
    """Writes the wheel, the same bytes for the same input; its path."""
    library, out = Path(library), Path(out)
    shared = companions(library)
    wheel_tag = "py3-none-" + tag([library, *shared.values()])
    info = f"collsim-{version}.dist-info"
    members = {f"collsim/{path.name}": path.read_bytes()
               for path in sorted((HERE / "collsim").iterdir()) if path.is_file()}
    members["collsim/libcollsim.so"] = library.read_bytes()
    for name, path in sorted(shared.items()):
        members[f"collsim/{name}"] = path.read_bytes()
        if notice(path):
            members[f"{info}/licenses/{name}"] = notice(path)
    members[f"{info}/LICENSE"] = (ROOT / "LICENSE").read_bytes()
    members[f"{info}/METADATA"] = "\n".join([
        "Metadata-Version: 2.1", "Name: collsim", f"Version: {version}",
        "Summary: Collective communication, simulated and modelled",
        "License: MIT", "License-File: LICENSE", "Requires-Python: >=3.8",
        "Provides-Extra: df", "Requires-Dist: pandas; extra == 'df'",
        "Description-Content-Type: text/markdown", "",
        (HERE / "README.md").read_text()]).encode()
    members[f"{info}/WHEEL"] = "\n".join([
        "Wheel-Version: 1.0", "Generator: collsim", "Root-Is-Purelib: false",
        f"Tag: {wheel_tag}", ""]).encode()
    record = "".join(
        "%s,sha256=%s,%d\n" % (name, base64.urlsafe_b64encode(
            hashlib.sha256(data).digest()).rstrip(b"=").decode(), len(data))
        for name, data in members.items())
    members[f"{info}/RECORD"] = (record + f"{info}/RECORD,,\n").encode()
    out.mkdir(parents=True, exist_ok=True)
    wheel = out / f"collsim-{version}-{wheel_tag}.whl"
    with zipfile.ZipFile(wheel, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for name, data in members.items():
            member = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
            member.external_attr = (0o755 if ".so" in name else 0o644) << 16
            member.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(member, data)
    return wheel


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    """PEP 517."""
    jobs = "-j%d" % (os.cpu_count() or 1)
    subprocess.run(["make", "-s", jobs, "wheel", "WHEELS=" + os.path.abspath(wheel_directory)],
                   cwd=ROOT, check=True, stdout=sys.stderr)
    return max(Path(wheel_directory).glob("collsim-*.whl"), key=os.path.getmtime).name


if __name__ == "__main__":
    print(write(*sys.argv[1:4]))
