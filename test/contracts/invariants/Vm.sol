// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

/// @title The cheat codes that the fuzz uses
interface Vm {
    function addr(uint256 key) external pure returns (address);
    function deal(address account, uint256 balance) external;
    function envBytes(string calldata name) external view returns (bytes memory);
    function envUint(string calldata name) external view returns (uint256);
    function etch(address account, bytes calldata code) external;
    function prank(address sender) external;
    function sign(uint256 key, bytes32 digest) external pure returns (uint8 v, bytes32 r, bytes32 s);
    function store(address account, bytes32 slot, bytes32 value) external;
    function warp(uint256 time) external;
}

Vm constant vm = Vm(address(uint160(uint256(keccak256("hevm cheat code")))));
