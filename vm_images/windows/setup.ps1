# Prepare a Windows 10 or 11 computer as a remote machine of pptarena.
#
# UNTESTED: this script has never been run; read it before you do.
#
# Run it once in an elevated PowerShell, as the user whose desktop the agents will use, with this
# folder and the folder "guest" next to it (a checkout, or a medium with both):
#   powershell -ExecutionPolicy Bypass -File setup.ps1 -Port 7001
# PowerPoint must be installed and activated under your own license, before or after.

param(
    [int]$Port = 7001,
    [string]$Address = "0.0.0.0",
    [string]$Place = "C:\pptarena"
)
$ErrorActionPreference = "Stop"
Set-StrictMode -Version Latest

$identity = [Security.Principal.WindowsIdentity]::GetCurrent()
$principal = New-Object Security.Principal.WindowsPrincipal($identity)
if (-not $principal.IsInRole([Security.Principal.WindowsBuiltInRole]::Administrator)) {
    throw "expected an elevated PowerShell; start it with 'Run as administrator'"
}

# --- Python and the packages of the guest program -------------------------------------------------

function Find-Python {
    $launcher = Get-Command py.exe -ErrorAction SilentlyContinue
    if (-not $launcher) { return $null }
    # "py -0p" lists the installed versions; probing a missing version would print an error.
    if (-not (& py.exe -0p | Select-String -SimpleMatch "3.12")) { return $null }
    return (& py.exe -3.12 -c "import sys; print(sys.executable)").Trim()
}

$python = Find-Python
if (-not $python) {
    winget install --exact --id Python.Python.3.12 --scope machine --silent `
        --accept-package-agreements --accept-source-agreements
    $env:Path = [Environment]::GetEnvironmentVariable("Path", "Machine") + ";" +
        [Environment]::GetEnvironmentVariable("Path", "User")
    $python = Find-Python
}
if (-not $python) { throw "Python 3.12 is missing; install it from python.org and run this again" }

New-Item -ItemType Directory -Force $Place | Out-Null
if (-not (Test-Path "$Place\venv")) { & $python -m venv "$Place\venv" }
$own = "$Place\venv\Scripts\python.exe"
& $own -m pip install --disable-pip-version-check --requirement "$PSScriptRoot\requirements.txt"
if ($LASTEXITCODE -ne 0) { throw "pip failed; is there a network connection?" }

# --- The guest program: two folders of the package ------------------------------------------------

$package = "$Place\pptarena\vm_images"
foreach ($name in "guest", "windows") {
    $from = Join-Path (Split-Path $PSScriptRoot -Parent) $name
    if (-not (Test-Path $from)) { throw "expected the folder $from beside this one" }
    Remove-Item -Recurse -Force "$package\$name" -ErrorAction SilentlyContinue
    New-Item -ItemType Directory -Force "$package\$name" | Out-Null
    Copy-Item -Recurse -Force "$from\*" "$package\$name"
}

# --- The token that hosts must know ---------------------------------------------------------------

$tokenFile = "$Place\token.txt"
if (-not (Test-Path $tokenFile)) {
    $token = & $own -c "import secrets; print(secrets.token_urlsafe(32))"
    Set-Content -Path $tokenFile -Value $token -Encoding ascii
}
icacls $tokenFile /inheritance:r /grant:r "$($env:USERNAME):(R)" "*S-1-5-32-544:(F)" | Out-Null

# --- A desktop without distractions ---------------------------------------------------------------

function Set-Value([string]$key, [string]$name, $value, [string]$type = "String") {
    if (-not (Test-Path $key)) { New-Item -Path $key -Force | Out-Null }
    New-ItemProperty -Path $key -Name $name -Value $value -PropertyType $type -Force | Out-Null
}

$desktop = "HKCU:\Control Panel\Desktop"
Set-Value $desktop "CursorBlinkRate" "-1"
Set-Value $desktop "ForegroundLockTimeout" 0 "DWord"
Set-Value $desktop "ScreenSaveActive" "0"
Set-Value "HKCU:\Control Panel\Desktop\WindowMetrics" "MinAnimate" "0"
Set-Value "HKCU:\Software\Microsoft\Windows\CurrentVersion\Explorer\VisualEffects" "VisualFXSetting" 2 "DWord"
Set-Value "HKCU:\Software\Microsoft\Windows\CurrentVersion\PushNotifications" "ToastEnabled" 0 "DWord"
Set-Value "HKLM:\SOFTWARE\Policies\Microsoft\Windows\WindowsUpdate\AU" "NoAutoUpdate" 1 "DWord"
powercfg /change monitor-timeout-ac 0
powercfg /change standby-timeout-ac 0

$office = "HKCU:\Software\Microsoft\Office\16.0"
Set-Value "$office\Common\Graphics" "DisableAnimations" 1 "DWord"
Set-Value "$office\Common\General" "ShownFirstRunOptin" 1 "DWord"
Set-Value "$office\Common\General" "DisableBootToOfficeStart" 1 "DWord"
Set-Value "$office\Common\General" "SkyDriveSignInOption" 0 "DWord"
Set-Value "$office\PowerPoint\Options" "DisableBootToOfficeStart" 1 "DWord"
Set-Value "$office\PowerPoint\Options" "AutoRecoverSaveEnabled" 0 "DWord"
Set-Value "$office\PowerPoint\Security" "VBAWarnings" 4 "DWord"

# --- Firewall: one port, for this program ---------------------------------------------------------

$rule = "pptarena guest"
Get-NetFirewallRule -DisplayName $rule -ErrorAction SilentlyContinue | Remove-NetFirewallRule
if ($Address -ne "127.0.0.1") {
    New-NetFirewallRule -DisplayName $rule -Direction Inbound -Action Allow -Protocol TCP `
        -LocalPort $Port -Program $own | Out-Null
}

# --- Autostart: the guest must run in the session that it observes --------------------------------

$action = New-ScheduledTaskAction -Execute $own -WorkingDirectory $Place -Argument (
    "-m pptarena.vm_images.windows --listen tcp:${Address}:$Port --token-file $tokenFile")
$trigger = New-ScheduledTaskTrigger -AtLogOn -User $identity.Name
$settings = New-ScheduledTaskSettingsSet -RestartCount 999 -ExecutionTimeLimit ([TimeSpan]::Zero) `
    -RestartInterval (New-TimeSpan -Minutes 1) -AllowStartIfOnBatteries
$user = New-ScheduledTaskPrincipal -UserId $identity.Name -LogonType Interactive -RunLevel Limited
Register-ScheduledTask -TaskName "pptarena guest" -Action $action -Trigger $trigger `
    -Settings $settings -Principal $user -Force | Out-Null

Write-Output "Done. Sign out and in again, or restart; then the guest listens at tcp:${Address}:$Port."
Write-Output "Copy $tokenFile to the host; the host needs it to connect."
